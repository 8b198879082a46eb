import { expect, test } from "vitest";
import { columnsOf, shownMonths } from "./months";

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

test("the columns show the month alone or the year to date, the variance on the same terms", () => {
	const month = (fiscal_period: number, variance_abs: number | null) =>
		({
			fiscal_period,
			budget: 10,
			actual: 12,
			variance_abs,
			budget_to_date: 10 * fiscal_period,
			actual_to_date: 12,
		}) as never;
	const months = [month(1, 2), month(2, -5), month(3, null)];
	const alone = columnsOf(months, false, 2, (period) => `${period}`);
	expect(alone.map(({ name, plan, variance, href, now }) => [name, plan, variance, href, now])).toEqual([
		["P01", 10, 2, "1", false],
		["P02", 10, -5, "2", true],
		["P03", 10, null, "3", false],
	]);
	expect(columnsOf(months, true, 2, () => "").map(({ plan, variance }) => [plan, variance])).toEqual([
		[10, "2"],
		[20, "-3"],
		[30, null],
	]);
});
