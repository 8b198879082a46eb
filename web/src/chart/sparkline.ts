import type { Exact } from "../format/decimal";

interface Point {
	x: number;
	y: number;
}

export interface Extent {
	low: number;
	high: number;
}

/** extent returns the range of the values, precise enough for pixels. */
export function extent(values: (Exact | null)[]): Extent {
	const numbers = values.filter((value) => value !== null).map(Number);
	if (numbers.length === 0) return { low: 0, high: 0 };
	return { low: Math.min(...numbers), high: Math.max(...numbers) };
}

/** lines returns the parts without a gap. A single value is a line of no length. */
export function lines(values: (Exact | null)[], span: Extent, size: { width: number; height: number }): Point[][] {
	const margin = 2;
	const step = (size.width - 2 * margin) / Math.max(values.length - 1, 1);
	const range = span.high - span.low;
	const found: Point[][] = [];
	let open: Point[] | undefined;
	values.forEach((value, i) => {
		if (value === null) {
			open = undefined;
			return;
		}
		if (!open) {
			open = [];
			found.push(open);
		}
		const share = range === 0 ? 0.5 : (Number(value) - span.low) / range;
		open.push({
			x: near(margin + i * step),
			y: near(size.height - margin - share * (size.height - 2 * margin)),
		});
	});
	return found;
}

function near(pixels: number): number {
	return Math.round(pixels * 100) / 100;
}
