import { amount, type Measure } from "../format/amounts";
import type { Decimal, Exact } from "../format/decimal";

/** widthOf returns the width of a column of figures, so that the longest fits. */
export function widthOf(amounts: readonly (Exact | Decimal)[], as: Measure): string {
	const longest = Math.max(0, ...amounts.map((each) => amount(each, as).length));
	return `${longest + 3}ch`;
}
