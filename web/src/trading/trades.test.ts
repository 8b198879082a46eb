import { expect, it } from "vitest";
import { daysSaid, type Trade, tradeQuery, tradesSaid, valueOf } from "./trades";

const trade = (shares: number, price: number | string) => ({ shares, price }) as Trade;

it("multiplies shares and price exactly", () => {
	expect(valueOf(trade(123456789, "98765.43210987"))).toBe("12193263112482.04540743");
	expect(valueOf(trade(100, "95.50"))).toBe("9550");
});

const only = (name: string, value: string) => (asked: string) => (asked === name ? value : "");

it("reads the filters of the address", () => {
	const said: Record<string, string> = {
		symbol: "ACME",
		currency: "USD",
		product: "0",
		side: "sell",
		to: "2024-02-28",
	};
	expect(tradeQuery((name) => said[name] ?? "")).toEqual({
		symbol: "ACME",
		currency_code: "USD",
		product: 0,
		type: false,
		to: "2024-02-28",
	});
	expect(tradeQuery(() => "")).toEqual({});
	expect([tradeQuery(only("side", "buy")), tradeQuery(only("side", "hold"))]).toEqual([
		{ type: true },
		{ type: "hold" },
	]);
	expect(tradeQuery(only("product", "bond"))).toEqual({ product: "bond" });
});

it.each([
	[{}, "all trades"],
	[{ side: "buy" }, "buys"],
	[{ side: "sell", product: "4", symbol: "T 4.25 11/33" }, "bond sales of T 4.25 11/33"],
	[{ symbol: "NBKI", from: "2026-01-01", to: "2026-02-28" }, "trades of NBKI from 2026-01-01 to 2026-02-28"],
	[{ product: "9" }, "all trades"],
])("the filters %o are said as %s", (filters: Record<string, string>, said) => {
	expect(tradesSaid((name) => filters[name] ?? "")).toBe(said);
});

it.each([
	["", "", "on any day"],
	["2026-01-01", "", "from 2026-01-01"],
	["", "2026-02-28", "to 2026-02-28"],
	["2026-01-01", "2026-02-28", "from 2026-01-01 to 2026-02-28"],
])("the days from %o to %o are said as %s", (from, to, said) => {
	expect(daysSaid(from, to)).toBe(said);
});
