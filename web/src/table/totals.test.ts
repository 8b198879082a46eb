import { expect, it } from "vitest";
import { totals } from "./totals";

const row = (currency: string, amount: number | string) => ({ currency, amount });
const added = (rows: ReturnType<typeof row>[]) =>
	totals(
		rows,
		(r) => r.currency,
		(r) => r.amount,
	);

it("adds up each currency separately and exactly", () => {
	const rows = [row("USD", "0.1"), row("EUR", 5), row("USD", "0.2"), row("USD", "90071992547409930.05")];
	expect(added(rows)).toEqual([
		{ currency: "EUR", amount: "5" },
		{ currency: "USD", amount: "90071992547409930.35" },
	]);
});

it("no rows have no total", () => {
	expect(added([])).toEqual([]);
});
