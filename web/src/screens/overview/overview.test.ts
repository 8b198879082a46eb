import { expect, test } from "vitest";
import type { Exact } from "../../format/decimal";
import { behind, course } from "./overview";

const month = (fiscal_period: number, budget: Exact | null, actual: Exact | null, variance_abs: Exact | null) => ({
	fiscal_period,
	budget,
	actual,
	variance_abs,
});

test("a course adds up exactly, the budget to the year's end and actuals to the period looked at", () => {
	const steps = course(
		[
			month(1, null, null, null),
			month(2, "0.1", "0.2", "0.1"),
			month(3, "0.2", null, "-0.2"),
			month(4, "90071992547409.9931", "0.1", "-90071992547409.8931"),
		],
		3,
	);
	const text = steps.map((s) => [
		s.period,
		s.budgetToDate?.toString(),
		s.actualToDate?.toString(),
		s.actual,
		s.variance,
	]);
	expect(text).toEqual([
		[1, undefined, undefined, null, null],
		[2, "0.1", "0.2", "0.2", "0.1"],
		[3, "0.3", "0.2", null, "-0.2"],
		[4, "90071992547410.2931", undefined, null, null],
	]);
});

test("a source is behind the newest, across years too", () => {
	const source = (fiscal_year: number, fiscal_period: number) => ({
		source: "erp",
		actuals: 1,
		fiscal_year,
		fiscal_period,
		received_at: null,
	});
	const sources = [source(2025, 11), source(2026, 2), source(2026, 1)];
	expect(sources.map((s) => behind(s, sources))).toEqual([3, 0, 1]);
});
