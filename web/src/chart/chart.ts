import type { EChartsOption } from "echarts";
import { Decimal, type Exact } from "../format/decimal";
import { figure } from "../format/format";
import type { Ink } from "./ink";

/** What a chart shows, as a table: its first column names the rows. */
export interface Grid {
	head: string[];
	rows: (string | Exact | null)[][];
}

/** amount is a cell's value where it is a decimal. */
export function amount(value: string | Exact | null | undefined): Exact | undefined {
	if (value === null || value === undefined) return undefined;
	return /^-?\d+(\.\d+)?$/.test(String(value)) ? value : undefined;
}

/** places is how many decimals a column's longest has, at most 2: all of its figures have as many. */
export function places(grid: Grid, column: number): number {
	let most = 0;
	for (const row of grid.rows) {
		const exact = amount(row[column]);
		if (exact !== undefined) most = Math.max(most, Decimal.of(exact).places);
	}
	return Math.min(most, 2);
}

/**
 * tip is what is said at a point of the chart: the row of the table behind it, so that no
 * figure is read off a float. It is made of text alone.
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
 * legible are the bars, side by side, whose labels do not run into another's: of those that stand
 * nearer than `apart` bars on one side of zero, the longest.
 */
export function legible(amounts: readonly (Exact | null)[], apart: number): Set<number> {
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

/** A scale begins and ends at round amounts, which are as many steps apart. */
interface Scale {
	least: number;
	most: number;
	step: number;
	/** The amounts that lines are drawn at, from the least to the most. */
	ticks: number[];
}

/** rounded is a scale that has zero and all the amounts on it, in about `parts` steps. */
export function rounded(amounts: readonly number[], parts: number): Scale {
	const low = Math.min(0, ...amounts);
	const high = Math.max(0, ...amounts) || (low === 0 ? 1 : 0);
	const part = (high - low) / parts;
	const power = 10 ** Math.floor(Math.log10(part));
	const step = (nice.find(({ below }) => part / power < below)?.step ?? 10) * power;
	const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
	// A float's product may be off in its last digit, which a label would show.
	const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
	return { least: ticks[0] ?? 0, most: ticks.at(-1) ?? 0, step, ticks };
}

/** What a step is rounded to that is below this many times a power of ten. */
const nice = [
	{ below: 1.5, step: 1 },
	{ below: 2.5, step: 2 },
	{ below: 4, step: 3 },
	{ below: 7, step: 5 },
];

/** dressed is a chart's option with what all charts share below it. */
export function dressed(option: EChartsOption, ink: Ink, grid: Grid): EChartsOption {
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

/** each changes one component of a chart, or all of a list, and makes none where there is none. */
function each(name: string, component: unknown, change: (one: object) => object): Record<string, unknown> {
	if (!component) return {};
	return { [name]: Array.isArray(component) ? component.map(change) : change(component) };
}

/** Series that have no pattern of their own: the first is solid. */
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
