/** A trade in a drawing: when it was, in milliseconds, what it was, and how many were bought (or, negative, sold). */
export interface Deal {
	at: number;
	price: number;
	shares: number;
}

/** heldAfter returns how many are held after each trade, from none before the first. */
export function heldAfter(deals: readonly Deal[]): number[] {
	let held = 0;
	return deals.map(({ shares }) => {
		held += shares;
		return held;
	});
}

/** The months between two ticks, the closest first. */
const strides = [1, 3, 6, 12, 24, 60, 120, 240, 600];

/** monthTicks returns at most `most` beginnings of months between two moments, at equal distances, as 2025 or 2025-07. */
export function monthTicks(from: number, to: number, most: number): { at: number; text: string }[] {
	const months = (moment: number) => new Date(moment).getUTCFullYear() * 12 + new Date(moment).getUTCMonth();
	const [first, last] = [months(from) + 1, months(to)];
	const stride = strides.find((each) => Math.floor(last / each) - Math.ceil(first / each) + 1 <= most) ?? 1200;
	const ticks: { at: number; text: string }[] = [];
	for (let month = Math.ceil(first / stride) * stride; month <= last; month += stride) {
		const [year, rest] = [Math.floor(month / 12), month % 12];
		ticks.push({
			at: Date.UTC(year, rest),
			text: rest === 0 ? `${year}` : `${year}-${String(rest + 1).padStart(2, "0")}`,
		});
	}
	return ticks;
}

/** dotSize returns the radius of a trade in pixels: its area grows with the quantity. */
export function dotSize(shares: number, largest: number): number {
	return 2 + 4 * Math.sqrt(Math.abs(shares) / largest);
}
