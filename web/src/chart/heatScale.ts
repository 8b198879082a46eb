import type { Exact } from "../format/decimal";

/**
 * heatScale returns a function that maps a value to -1 to 1, relative to the largest of the values. The square root keeps
 * small values visible beside a much larger one.
 */
export function heatScale(values: (Exact | null)[]): (value: Exact | null) => number {
	let most = 0;
	for (const value of values) most = Math.max(most, Math.abs(Number(value ?? 0)));
	return (value) => {
		const near = Number(value ?? 0);
		return most === 0 ? 0 : Math.sign(near) * Math.sqrt(Math.abs(near) / most);
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
