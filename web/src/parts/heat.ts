import type { Exact } from "../lib/decimal";

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
