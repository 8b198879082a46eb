import type { Decimal, Exact } from "../format/decimal";
import { figure } from "../format/format";

/** widthOf returns the width of a column of figures, so that the longest fits. */
export function widthOf(amounts: readonly (Exact | Decimal)[], places: number): string {
	const longest = Math.max(0, ...amounts.map((amount) => figure(amount, { places }).length));
	return `${longest + 3}ch`;
}
