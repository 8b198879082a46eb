import type { Decimal } from "../format/decimal";

/** The look of a bar: actual is solid, plan is outlined, forecast is hatched; a variance is good or bad. */
export type Tone = "actual" | "plan" | "forecast" | "good" | "bad";

/** A part of a line, in percent of its length. */
export interface Segment {
	start: number;
	length: number;
}

/** A scale that includes zero and all amounts. */
export interface Scale {
	low: number;
	high: number;
}

export function scale(bounds: Iterable<Decimal>): Scale {
	let low = 0;
	let high = 0;
	for (const bound of bounds) {
		low = Math.min(low, bound.number);
		high = Math.max(high, bound.number);
	}
	return { low, high };
}

/** segment returns the part between two amounts. It is always long enough to be visible. */
export function segment(one: Decimal, other: Decimal, { low, high }: Scale): Segment {
	const range = high - low || 1;
	const [from, to] = one.compare(other) <= 0 ? [one, other] : [other, one];
	const start = ((from.number - low) / range) * 100;
	const length = Math.max(((to.number - from.number) / range) * 100, 0.25);
	return { start: Math.min(start, 100 - length), length };
}

/** base returns the position of zero, in percent. */
export function base({ low, high }: Scale): number {
	return (-low / (high - low || 1)) * 100;
}
