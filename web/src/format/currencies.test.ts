import { expect, test } from "vitest";
import { byLineCount, byOrder, currenciesOf } from "./currencies";

test("the currency with the most lines comes first, then by its code", () => {
	const standing = (currency: string, lines: number) => ({ currency, lines });
	const sorted = [standing("USD", 3), standing("GBP", 3), standing("JPY", 9)].sort(byLineCount);
	expect(sorted.map((s) => s.currency)).toEqual(["JPY", "GBP", "USD"]);
});

test("lists of currencies follow the order by line count", () => {
	const order = currenciesOf(["GBP", "USD", "EUR", "USD"].map((currency) => ({ currency })));
	expect(order).toEqual(["USD", "EUR", "GBP"]);
	expect(["AUD", "GBP", "EUR", "CHF", "USD"].sort(byOrder(order))).toEqual(["USD", "EUR", "GBP", "AUD", "CHF"]);
});
