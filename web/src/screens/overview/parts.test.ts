import { expect, test } from "vitest";
import { Decimal } from "../../format/decimal";
import { againstPlan, monthsOf, netsOf, ofPeriod } from "./parts";

type Item = Parameters<typeof monthsOf>[0][number];

const item = (gl_type: string, contra: boolean, budget: (number | null)[], actual: (number | null)[]): Item =>
	({
		gl_type,
		contra,
		budget,
		actual,
		variance_abs: budget.map((planned, i) =>
			planned === null && (actual[i] ?? null) === null ? null : (actual[i] ?? 0) - (planned ?? 0),
		),
	}) as unknown as Item;

const items = [
	item("revenue", false, [100, 100, null], [90, 110, null]),
	item("revenue", true, [10, 10, null], [20, null, null]),
	item("capex", false, [null, 7, null], [null, 7, null]),
	item("opex", false, [40, null, null], [40, null, null]),
];

test("a contra account is deducted, costs are all accounts but revenue, and a period without anything has no figure", () => {
	const revenue = monthsOf(items, "revenue");
	expect(revenue.length).toBe(12);
	expect(revenue.slice(0, 3).map(({ budget, actual }) => [budget, actual])).toEqual([
		["90", "70"],
		["90", "110"],
		[null, null],
	]);
	expect(revenue[2]).toMatchObject({ budget_to_date: "180", actual_to_date: "180", variance_abs: null, status: null });
	expect(monthsOf(items, "costs").map(({ budget, actual_to_date }) => [budget, actual_to_date])[1]).toEqual([
		"7",
		"47",
	]);
	expect(monthsOf(items.slice(0, 2), "costs")[0]).toMatchObject({ budget: null, budget_to_date: null });
});

test("the variances of the year to date are added up to the period", () => {
	const { alone, toDate } = netsOf(monthsOf(items, "revenue"), 2);
	const [first, second] = items.slice(0, 2).map(({ variance_abs }) => variance_abs);
	const off = Decimal.sum([first?.[1], second?.[1]].map((amount) => Decimal.of(amount ?? 0)));
	expect(alone.variance_abs).toBe(off.toString());
	expect(toDate.variance_abs).toBe(
		off.plus(Decimal.sum([first?.[0], second?.[0]].map((amount) => Decimal.of(amount ?? 0)))).toString(),
	);
	expect(netsOf([], 3).toDate).toEqual({ budget: null, actual: null, variance_abs: "0" });
});

test("a figure is told against its plan, or says what there is not", () => {
	const said = (pieces: ReturnType<typeof againstPlan>) =>
		pieces
			.map((piece) =>
				typeof piece === "string"
					? piece
					: "amount" in piece
						? piece.amount
						: `[${"variance" in piece ? piece.variance : ""}]`,
			)
			.join("")
			.replaceAll(/[\s\u00a0\u202f]+/g, " ");
	const net = (budget: number | null, actual: number | null, variance_abs: number) => ({
		budget,
		actual,
		variance_abs,
	});
	expect(said(againstPlan(net(200, 190, -10), "budget", ""))).toBe("Budget 200: [-10], 5.0%");
	expect(said(againstPlan(net(0, 5, 5), "budget", ""))).toBe("Budget 0: [5]");
	expect(said(againstPlan(net(5, 5, 0), "forecast 1", ""))).toBe("Forecast 1 5, exactly on forecast 1");
	expect(said(againstPlan(net(null, 5, 5), "budget", ""))).toBe("No budget");
	expect(said(againstPlan(net(5, null, -5), "budget", ""))).toBe("Budget 5, no actual yet");
	expect(said(ofPeriod(net(200, 190, -10), "P03 2026", "budget", ""))).toBe("P03 2026: 190, budget 200: [-10], 5.0%");
	expect(said(ofPeriod(net(200, null, -200), "P03 2026", "budget", ""))).toBe("P03 2026: no actual yet, budget 200");
	expect(said(ofPeriod(net(null, 5, 5), "P03 2026", "budget", ""))).toBe("P03 2026: 5, no budget");
});
