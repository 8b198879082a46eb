import { expect, test } from "vitest";
import { Decimal } from "../../format/decimal";
import { costOf, type Holding, positionAnswer } from "./position";

const held: Holding = {
	symbol: "ACME",
	currency_code: "USD",
	product: 0,
	side: "long",
	shares: 1250,
	average_price: "103.12345678",
	mark: 110,
	mark_source: "last_trade",
	marked_at: "2025-01-07T15:30:00Z",
	value: 137500,
	unrealised: "8595.679",
	realised: -1050,
	weight_pct: 100,
	trades: 4,
	first_traded_at: "2025-01-02T10:00:00Z",
	last_traded_at: "2025-01-07T15:30:00Z",
} as Holding;

const said = (of: Partial<Holding>) =>
	positionAnswer({ ...held, ...of }, "#/trades")
		.map((piece) => (typeof piece === "object" && "amount" in piece ? String(piece.amount) : piece))
		.join("");

test("the cost is the value less the result, of a short position too", () => {
	expect(String(costOf(held))).toBe("128904.321");
	expect(String(costOf({ ...held, value: -120, unrealised: -20 }))).toBe(String(Decimal.of(-100)));
});

test("a position is said in a sentence", () => {
	expect(said({})).toBe(
		"Long 1,250 at an average of 103.12. The last trade was at 110.00, so the position is 8595.679 up; a loss of 1050 is realised.",
	);
	expect(said({ side: "short", unrealised: -20, realised: 5, mark: "1.2345", mark_source: "company" })).toBe(
		"Short 1,250 at an average of 103.1235. The price of the company is 1.2345, so the position is 20 down; a gain of 5 is realised.",
	);
	expect(said({ unrealised: 0, realised: 0 })).toContain("so the position is worth what it cost; nothing is realised.");
	expect(said({ side: "flat", shares: 0 })).toBe("Closed on 2025-01-07; a loss of 1050 is realised.");
});
