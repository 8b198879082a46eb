import type { components } from "../../api/schema";
import { Decimal, type Exact } from "../../format/decimal";

type Standing = components["schemas"]["CurrencyOverview"];
type Month = Standing["months"][number];
type Source = components["schemas"]["ActualsSource"];

/** A period of a year, and what is added up from its first period to this one. */
export interface Step {
	period: number;
	budget: Exact | null;
	actual: Exact | null;
	variance: Exact | null;
	budgetToDate: Decimal | null;
	actualToDate: Decimal | null;
}

/**
 * course adds the periods of a year up. The budget runs to the year's end, actuals and variances to
 * the period that is looked at. null is what there is nothing of so far.
 */
export function course(months: readonly Month[], until: number): Step[] {
	let budgetToDate: Decimal | null = null;
	let actualToDate: Decimal | null = null;
	return months.map((month) => {
		const passed = month.fiscal_period <= until;
		budgetToDate = added(budgetToDate, month.budget);
		if (passed) actualToDate = added(actualToDate, month.actual);
		return {
			period: month.fiscal_period,
			budget: month.budget,
			actual: passed ? month.actual : null,
			variance: passed ? month.variance_abs : null,
			budgetToDate,
			actualToDate: passed ? actualToDate : null,
		};
	});
}

function added(total: Decimal | null, amount: Exact | null): Decimal | null {
	if (amount === null) return total;
	return (total ?? Decimal.zero).plus(Decimal.of(amount));
}

/** behind is by how many periods a source is older than the newest of them. */
export function behind(source: Source, sources: readonly Source[]): number {
	const count = (s: Source) => s.fiscal_year * 12 + s.fiscal_period;
	return Math.max(...sources.map(count)) - count(source);
}
