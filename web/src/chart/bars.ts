import type { Decimal } from "../format/decimal";

/** How a bar is drawn: actual solid, plan outlined, forecast hatched; a variance is good or bad. */
export type Tone = "actual" | "plan" | "forecast" | "good" | "bad";

/** A stretch on a line, in percent of its length. */
export interface Stretch {
	start: number;
	length: number;
}

/** A scale holds all bounds and zero. */
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

/** stretch lies between two amounts; it is never invisibly short. */
export function stretch(one: Decimal, other: Decimal, { low, high }: Scale): Stretch {
	const range = high - low || 1;
	const [from, to] = one.compare(other) <= 0 ? [one, other] : [other, one];
	const start = ((from.number - low) / range) * 100;
	const length = Math.max(((to.number - from.number) / range) * 100, 0.25);
	return { start: Math.min(start, 100 - length), length };
}

/** base is where zero lies on the scale, in percent. */
export function base({ low, high }: Scale): number {
	return (-low / (high - low || 1)) * 100;
}
