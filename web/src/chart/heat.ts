import { scaleThreshold } from "d3-scale";
import { Decimal, type Exact } from "../format/decimal";

/** How far a value is from its plan: 0 is plain, 3 is farthest; negative is worse. */
export type Step = -3 | -2 | -1 | 0 | 1 | 2 | 3;

/** The values, regardless of sign, from which the steps 1, 2 and 3 are reached. */
export type Cuts = readonly [one: number, two: number, three: number];

/** The head of a row or a column of a heat map. */
export interface Head {
	key: string;
	label: string;
	/** What is said beside the label, such as a code. */
	note?: string | undefined;
	title: string;
	href?: string | undefined;
	/** Whether a row adds up those above it. */
	total?: boolean | undefined;
}

/** The cuts of variances and of results in percent. */
export const percentCuts: Cuts = [5, 10, 25];
export const resultCuts: Cuts = [1, 5, 20];

/** The shares of the values that are below each cut. */
const shares = [0.4, 0.75, 0.93];

/** The digits of round cuts. */
const digits = [1, 1.5, 2, 3, 5, 7];

/** cutsOf returns round cuts for amounts, so that few cells are deepest and the many small ones stay plain. */
export function cutsOf(values: readonly Exact[]): Cuts {
	const sizes = values
		.map((value) => Math.abs(Number(value)))
		.filter((size) => size > 0)
		.sort((a, b) => a - b);
	let last = Number.NEGATIVE_INFINITY;
	return shares.map((share) => {
		last = Math.max(rank(sizes[Math.floor(share * sizes.length)] ?? 1), last + 1);
		return round(last);
	}) as unknown as Cuts;
}

/** rank returns the place, among all round numbers, of the largest that is not above a value. */
function rank(value: number): number {
	const power = Math.floor(Math.log10(value));
	const first = Number((value / 10 ** power).toPrecision(12));
	return power * digits.length + digits.findLastIndex((digit) => digit <= first);
}

/** round returns the round number at a place. */
function round(rank: number): number {
	const power = Math.floor(rank / digits.length);
	return Number(((digits[rank - power * digits.length] ?? 1) * 10 ** power).toPrecision(2));
}

/** heatScale returns a function that maps a value to its step. */
export function heatScale(cuts: Cuts): (value: Exact | null) => Step {
	const steps = scaleThreshold<number, number>().domain(cuts).range([0, 1, 2, 3]);
	return (value) => {
		if (value === null) return 0;
		const exact = Decimal.of(value);
		return (exact.sign * steps(exact.absolute().number) || 0) as Step;
	};
}

/** The width of a landscape letter sheet, and of the longest row name, in digits of the printed font. */
const sheet = 128;
const name = 36;

/**
 * columnRuns splits columns into runs that each fit on a sheet beside the names. `characters` is the length of the
 * longest text.
 */
export function columnRuns(columns: number, characters: number): { from: number; to: number }[] {
	// A cell has padding on both sides, and a minimum width.
	const most = Math.max(Math.floor((sheet - name) / Math.max(characters + 4, 8)), 1);
	return Array.from({ length: Math.ceil(columns / most) }, (_, i) => ({
		from: i * most,
		to: Math.min((i + 1) * most, columns),
	}));
}
