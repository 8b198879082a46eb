import type { Exact } from "../format/decimal";

/**
 * heats gives the warmth of a value among others, -1 to 1 with its sign. The root lets small
 * ones be seen beside one that is far larger.
 */
export function heats(values: (Exact | null)[]): (value: Exact | null) => number {
	let most = 0;
	for (const value of values) most = Math.max(most, Math.abs(Number(value ?? 0)));
	return (value) => {
		const near = Number(value ?? 0);
		return most === 0 ? 0 : Math.sign(near) * Math.sqrt(Math.abs(near) / most);
	};
}

/** A sheet of landscape letter paper, and the widest name of a row, in digits of the type that is printed. */
const sheet = 128;
const name = 36;

/** stretches parts columns whose longest text has so many characters into runs that each fit on a sheet beside the names. */
export function stretches(columns: number, characters: number): { from: number; to: number }[] {
	// A cell has room on both sides, and so much at least.
	const most = Math.max(Math.floor((sheet - name) / Math.max(characters + 4, 8)), 1);
	return Array.from({ length: Math.ceil(columns / most) }, (_, i) => ({
		from: i * most,
		to: Math.min((i + 1) * most, columns),
	}));
}
