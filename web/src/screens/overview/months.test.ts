import { expect, test } from "vitest";
import { shownMonths } from "./months";

test("the budget runs to the end of the year, actuals and variances to the chosen period", () => {
	const month = (fiscal_period: number) => ({
		fiscal_period,
		budget: 1,
		actual: 2,
		variance_abs: 1,
		status: "favourable",
		budget_to_date: fiscal_period,
		actual_to_date: 2 * fiscal_period,
	});
	const [first, second] = shownMonths([month(1), month(2)], 1);
	expect(first).toEqual(month(1));
	expect(second).toEqual({ ...month(2), actual: null, variance_abs: null, status: null, actual_to_date: null });
});
