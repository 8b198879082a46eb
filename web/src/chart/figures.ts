import type { Decimal, Exact } from "../format/decimal";
import { figure } from "../format/format";

/** widthOf is how wide a column of figures is, so that the longest of them is seen whole. */
export function widthOf(amounts: readonly (Exact | Decimal)[], places: number): string {
	const longest = Math.max(0, ...amounts.map((amount) => figure(amount, { places }).length));
	return `${longest + 3}ch`;
}
