import { expect, test } from "vitest";
import { dotSize, heldAfter, monthTicks } from "./prices";

test("what is held after each trade is the sum of those before it", () => {
	const deals = [100, -30, -120, 50].map((shares) => ({ at: 0, price: 1, shares }));
	expect(heldAfter(deals)).toEqual([100, 70, -50, 0]);
});

test("ticks are beginnings of months at equal distances, a January is its year", () => {
	const texts = (from: string, to: string, most: number) =>
		monthTicks(Date.parse(from), Date.parse(to), most).map(({ text }) => text);
	expect(texts("2025-10-15", "2026-02-10", 8)).toEqual(["2025-11", "2025-12", "2026", "2026-02"]);
	expect(texts("2023-12-13", "2026-11-27", 6)).toEqual(["2024", "2024-07", "2025", "2025-07", "2026", "2026-07"]);
	expect(texts("2023-12-13", "2026-11-27", 4)).toEqual(["2024", "2025", "2026"]);
	expect(texts("2026-03-05", "2026-03-20", 8)).toEqual([]);
	expect(monthTicks(Date.parse("2024-06-01"), Date.parse("2025-05-01"), 1)[0]?.at).toBe(Date.parse("2025-01-01"));
});

test("four times as many have a dot of four times the area above the least", () => {
	expect([dotSize(-400, 400), dotSize(100, 400)]).toEqual([6, 4]);
});
