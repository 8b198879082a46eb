import { scaleLinear } from "d3-scale";
import { Decimal, type Exact } from "../format/decimal";
import { readableLabels } from "./chart";

/** The figures of a period, drawn in a column. */
export interface Column {
	name: string;
	actual: Exact | null;
	plan: Exact | null;
	variance: Exact | null;
	href: string;
	/** Whether this is the chosen period. */
	now: boolean;
}

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

interface Label {
	text: string;
	y: number;
}

/** A column with its bars, in pixels. */
interface Drawn {
	left: number;
	middle: number;
	plan?: Box | undefined;
	actual?: Box | undefined;
	variance?: Box | undefined;
	good: boolean;
	label?: Label | undefined;
	varianceLabel?: Label | undefined;
	named: boolean;
}

export interface Drawing {
	columns: Drawn[];
	/** The width of a column. */
	step: number;
	left: number;
	ticks: { y: number; text: string }[];
	/** Where the amounts and the variances are zero. */
	zero: number;
	varianceZero: number;
}

/** The heights of a drawing in pixels: of the amounts, of the variances below them, of all. */
const amounts = { top: 22, bottom: 214 };
const variances = { top: 262, bottom: 344 };
export const height = 376;

/** The width of a letter of a label, and the height that a label needs, in pixels. */
const letter = 6.8;
const line = 16;

/** The widest bar in pixels, and the shares of a column that bars take. */
const widest = 72;
const shares = { plan: 0.56, actual: 0.34 };

const lengthOf = (amount: Exact | null) => (amount === null ? 0 : Number(amount));

interface Prints {
	label: (amount: Exact) => string;
	axis: (ticks: Exact[]) => string[];
}

/** farther returns where the label of an actual stands: beyond a plan on the same side of zero that is longer. */
function farther(actual: Exact | null, plan: Exact | null): number {
	const [length, planned] = [lengthOf(actual), lengthOf(plan)];
	return Math.sign(length) === Math.sign(planned) && Math.abs(planned) > Math.abs(length) ? planned : length;
}

/** drawColumns places the bars and labels of columns in a drawing of a width. */
export function drawColumns(columns: readonly Column[], width: number, { label: print, axis }: Prints): Drawing {
	const scale = vertical(
		columns.flatMap(({ actual, plan }) => [lengthOf(actual), lengthOf(plan)]),
		amounts,
	).nice(4);
	const below = vertical(
		columns.map(({ variance }) => lengthOf(variance)),
		variances,
	);
	// Without exponents, which no decimal has.
	const texts = axis(scale.ticks(4).map((tick) => tick.toFixed(6)));
	const ticks = scale.ticks(4).map((tick, i) => ({ y: scale(tick), text: texts[i] ?? "" }));
	const widthOf = (texts: string[]) => Math.max(0, ...texts.map((text) => text.length)) * letter;
	const said = (amount: Exact | null) => (amount === null ? "" : print(amount));
	const actualWidth = widthOf(columns.map(({ actual }) => said(actual)));
	const varianceWidth = widthOf(columns.map(({ variance }) => said(variance)));
	const left = Math.max(44, Math.ceil(widthOf(ticks.map(({ text }) => text))) + 10);
	// In a narrow drawing a label is wider than its column, also the last one.
	const label = Math.max(actualWidth, varianceWidth);
	const right = Math.max(0, (label - (width - left) / columns.length) / 2);
	const step = (width - left - right) / columns.length;
	const now = columns.findIndex((column) => column.now);
	const actualLabels = readableLabels(
		columns.map(({ actual }) => actual),
		(actualWidth + 6) / step,
		now,
	);
	const varianceLabels = readableLabels(
		columns.map(({ variance }) => variance),
		(varianceWidth + 6) / step,
		now,
	);
	const every = Math.ceil((3 * letter + 4) / step);
	const bar = (at: number, share: number, amount: Exact | null, y: (amount: number) => number) => {
		if (amount === null) return undefined;
		const breadth = Math.min(step * share, (widest * share) / shares.plan);
		const [a, b] = [y(0), y(Number(amount))];
		return { x: left + (at + 0.5) * step - breadth / 2, y: Math.min(a, b), width: breadth, height: Math.abs(a - b) };
	};
	const beside = (text: string, end: number, y: (amount: number) => number) => ({
		text,
		y: y(end) + (end < 0 ? 12 : -5),
	});
	return {
		columns: columns.map(({ actual, plan, variance }, at) => ({
			left: left + at * step,
			middle: left + (at + 0.5) * step,
			plan: bar(at, shares.plan, plan, scale),
			actual: bar(at, shares.actual, actual, scale),
			variance: bar(at, shares.plan, variance, below),
			good: variance === null || Decimal.of(variance).sign >= 0,
			label: actualLabels.has(at) ? beside(said(actual), farther(actual, plan), scale) : undefined,
			varianceLabel: varianceLabels.has(at) ? beside(said(variance), lengthOf(variance), below) : undefined,
			named: at % every === 0,
		})),
		step,
		left,
		ticks,
		zero: scale(0),
		varianceZero: below(0),
	};
}

/** vertical returns a scale that holds zero and all lengths, with room for a label on each side that has bars. */
function vertical(lengths: readonly number[], { top, bottom }: { top: number; bottom: number }) {
	const low = Math.min(0, ...lengths);
	const high = Math.max(0, ...lengths);
	const domain = low === high ? [0, 1] : [low, high];
	return scaleLinear()
		.domain(domain)
		.range([bottom - (low < 0 ? line : 0), top]);
}
