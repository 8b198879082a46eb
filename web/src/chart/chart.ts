import type { EChartsOption } from "echarts";
import { Decimal, type Exact } from "../format/decimal";
import { figure } from "../format/format";
import type { Ink } from "./ink";

/** The data of a chart as a table. The first column names the rows. */
export interface Grid {
	head: string[];
	rows: (string | Exact | null)[][];
}

/** amount returns the value of a cell if it is a decimal. */
export function amount(value: string | Exact | null | undefined): Exact | undefined {
	if (value === null || value === undefined) return undefined;
	return /^-?\d+(\.\d+)?$/.test(String(value)) ? value : undefined;
}

/** places returns the number of decimals of a column: the most that a figure has, and at most 2. */
export function places(grid: Grid, column: number): number {
	let most = 0;
	for (const row of grid.rows) {
		const exact = amount(row[column]);
		if (exact !== undefined) most = Math.max(most, Decimal.of(exact).places);
	}
	return Math.min(most, 2);
}

/**
 * tip returns the tooltip of a point: the row of the table, so that no figure is read from a float. It contains only
 * text.
 */
export function tip(grid: Grid, index: number): HTMLElement {
	const box = document.createElement("dl");
	box.className = "tip";
	const row = grid.rows[index] ?? [];
	row.forEach((value, column) => {
		const name = document.createElement("dt");
		const said = document.createElement("dd");
		const exact = column === 0 ? undefined : amount(value);
		name.textContent = grid.head[column] ?? "";
		said.textContent = exact === undefined ? String(value ?? "") : figure(exact, { places: places(grid, column) });
		box.append(name, said);
	});
	return box;
}

/**
 * readableLabels returns the bars whose labels do not overlap. Of several bars within `apart` on the same side of zero, the
 * longest keeps its label.
 */
export function readableLabels(amounts: readonly (Exact | null)[], apart: number): Set<number> {
	const bars = amounts.flatMap((amount, at) => (amount === null ? [] : [{ at, exact: Decimal.of(amount) }]));
	bars.sort((a, b) => b.exact.absolute().compare(a.exact.absolute()));
	const shown: typeof bars = [];
	for (const bar of bars) {
		const free = shown.every(
			({ at, exact }) => Math.abs(at - bar.at) >= apart || exact.sign < 0 !== bar.exact.sign < 0,
		);
		if (free) shown.push(bar);
	}
	return new Set(shown.map(({ at }) => at));
}

/** A scale from one round amount to another, in equal steps. */
interface Scale {
	least: number;
	most: number;
	step: number;
	/** The amounts of the grid lines, ascending. */
	ticks: number[];
}

/** roundScale returns a scale that includes zero and all amounts, in about `parts` steps. */
export function roundScale(amounts: readonly number[], parts: number): Scale {
	const low = Math.min(0, ...amounts);
	const high = Math.max(0, ...amounts) || (low === 0 ? 1 : 0);
	const part = (high - low) / parts;
	const power = 10 ** Math.floor(Math.log10(part));
	const step = (nice.find(({ below }) => part / power < below)?.step ?? 10) * power;
	const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
	// Multiplying floats may change the last digit, which a label would show.
	const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
	return { least: ticks[0] ?? 0, most: ticks.at(-1) ?? 0, step, ticks };
}

/** A step below `below` times a power of ten becomes `step` times that power. */
const nice = [
	{ below: 1.5, step: 1 },
	{ below: 2.5, step: 2 },
	{ below: 4, step: 3 },
	{ below: 7, step: 5 },
];

/** withDefaults adds the defaults of all charts to an option. */
export function withDefaults(option: EChartsOption, ink: Ink, grid: Grid): EChartsOption {
	const text = { color: ink.ink, fontFamily: ink.font };
	const dress = {
		animation: false,
		color: [ink.ink, ink.accent, ink.quiet, ink.good, ink.bad],
		...option,
		...each("xAxis", option.xAxis, (axis) => inked(axis as Axis, ink)),
		...each("yAxis", option.yAxis, (axis) => inked(axis as Axis, ink)),
		...each("legend", option.legend, (legend) => ({
			...legend,
			textStyle: { ...text, ...(legend as Legend).textStyle },
		})),
		textStyle: { ...text, ...option.textStyle },
		aria: { enabled: true, label: { enabled: false }, decal: { show: true, decals }, ...option.aria },
		tooltip: {
			trigger: "axis",
			axisPointer: { type: "shadow", shadowStyle: { color: ink.quiet, opacity: 0.12 } },
			backgroundColor: ink.surface,
			borderColor: ink.rule,
			borderWidth: 1,
			padding: 8,
			textStyle: text,
			confine: true,
			transitionDuration: 0,
			extraCssText: "box-shadow:none",
			formatter: (points: unknown) => tip(grid, pointed(points)),
			...option.tooltip,
		},
	};
	return dress as EChartsOption;
}

interface Legend {
	textStyle?: object;
}

interface Line {
	lineStyle?: object;
}

interface Axis {
	axisLabel?: object;
	axisLine?: Line;
	splitLine?: Line;
}

function inked(axis: Axis, ink: Ink): Axis {
	return {
		...axis,
		axisLabel: { color: ink.quiet, ...axis.axisLabel },
		axisLine: { ...axis.axisLine, lineStyle: { color: ink.quiet, ...axis.axisLine?.lineStyle } },
		splitLine: { ...axis.splitLine, lineStyle: { color: ink.rule, ...axis.splitLine?.lineStyle } },
	};
}

/** each changes a component of a chart, or every component of a list; a missing one stays missing. */
function each(name: string, component: unknown, change: (one: object) => object): Record<string, unknown> {
	if (!component) return {};
	return { [name]: Array.isArray(component) ? component.map(change) : change(component) };
}

/** Patterns of series without one of their own; the first is solid. */
const decals = [
	{ symbol: "none" },
	{ symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: Math.PI / 4 },
	{
		symbol: "circle",
		dashArrayX: [
			[6, 6],
			[0, 6, 6, 0],
		],
		dashArrayY: [6, 0],
		symbolSize: 0.6,
	},
	{ symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4 },
];

function pointed(points: unknown): number {
	const point = (Array.isArray(points) ? points[0] : points) as { dataIndex?: number; data?: { id?: unknown } };
	const id = Number(point?.data?.id);
	return Number.isInteger(id) ? id : (point?.dataIndex ?? -1);
}
