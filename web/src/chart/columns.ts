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
	/** Where bars are marked that are longer than drawn. */
	cut?: { x: number; y: number; width: number } | undefined;
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

/** How far from its end a bar is marked as cut, in pixels. */
const fromEnd = 18;

/** The widest bar in pixels, and the shares of a column that bars take. */
const widest = 72;
const shares = { plan: 0.56, actual: 0.34 };

const lengthOf = (amount: Exact | null) => (amount === null ? 0 : Number(amount));

/** Columns that are this many times longer than all others are cut: else the others would be too short to compare. */
const far = 3;

/** lengthOfColumn returns the length of the longer bar of a column. */
const lengthOfColumn = ({ actual, plan }: Column) => Math.max(Math.abs(lengthOf(actual)), Math.abs(lengthOf(plan)));

/** limitOf returns the length from which bars are cut, if any are. At most a quarter of the columns is. */
function limitOf(columns: readonly Column[]): number {
	const sizes = columns.map(lengthOfColumn).sort((a, b) => b - a);
	for (let cut = 1; cut <= sizes.length / 4; cut++) {
		const [shortest = 0, longest = 0] = [sizes[cut - 1], sizes[cut]];
		if (longest > 0 && shortest > far * longest) return longest;
	}
	return Number.POSITIVE_INFINITY;
}

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
	const limit = limitOf(columns);
	const within = (amount: number) => Math.min(Math.max(amount, -limit), limit);
	const scale = vertical(
		columns.flatMap(({ actual, plan }) => [within(lengthOf(actual)), within(lengthOf(plan))]),
		amounts,
	);
	// Beyond a cut there is nothing to measure.
	if (limit === Number.POSITIVE_INFINITY) scale.nice(4);
	const [low = 0, high = 0] = scale.domain();
	/** A bar that is cut goes to the end of the drawing. */
	const place = (amount: number) => scale(Math.abs(amount) <= limit ? amount : amount < 0 ? low : high);
	const below = vertical(
		columns.map(({ variance }) => lengthOf(variance)),
		variances,
	);
	// Without exponents, which no decimal has.
	const shown = scale.ticks(4).filter((tick) => Math.abs(tick) <= limit);
	const texts = axis(shown.map((tick) => tick.toFixed(6)));
	const ticks = shown.map((tick, i) => ({ y: scale(tick), text: texts[i] ?? "" }));
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
	const cutOf = (at: number) => {
		const column = columns[at];
		if (!column || lengthOfColumn(column) <= limit) return undefined;
		const longer = Math.abs(lengthOf(column.actual)) > limit ? lengthOf(column.actual) : lengthOf(column.plan);
		const { x = 0, width = 0 } = bar(at, shares.plan, "0", scale) ?? {};
		return { x, width, y: place(longer) + (longer < 0 ? -fromEnd : fromEnd) };
	};
	return {
		columns: columns.map(({ actual, plan, variance }, at) => ({
			left: left + at * step,
			middle: left + (at + 0.5) * step,
			plan: bar(at, shares.plan, plan, place),
			actual: bar(at, shares.actual, actual, place),
			variance: bar(at, shares.plan, variance, below),
			good: variance === null || Decimal.of(variance).sign >= 0,
			label: actualLabels.has(at) ? beside(said(actual), farther(actual, plan), place) : undefined,
			varianceLabel: varianceLabels.has(at) ? beside(said(variance), lengthOf(variance), below) : undefined,
			named: at % every === 0,
			cut: cutOf(at),
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
