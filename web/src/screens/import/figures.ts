import { Decimal, type Exact } from "../../format/decimal";
import { figure } from "../../format/format";

/** The fields whose values are numbers. */
export const figures = [
	"amount",
	"period",
	"total",
	"debit",
	"credit",
	"gross",
	"price",
	"shares",
	"shares_outstanding",
];

/** numberAs prints how a number reads, with all of its decimals, as the page prints numbers. Other text stays. */
export function numberAs(value: Exact): string {
	const text = String(value);
	if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
	const exact = Decimal.of(text);
	return figure(exact, { places: exact.places, zeroDash: false, parentheses: false });
}

/** isWhole reports whether a cell stays on one line: a number, an amount with its currency, a date, or a short word. */
export function isWhole(text: string): boolean {
	if (/^\S{1,20}$/u.test(text)) return true;
	return text.length <= 40 && /^[^\p{L}]*\d[^\p{L}]*(\p{L}{1,3})?$/u.test(text.replace(/^\p{L}{1,3}(?=[\s\d])/u, ""));
}
