import type { components } from "../../api/schema";

type Month = components["schemas"]["CurrencyOverview"]["months"][number];

/**
 * shownMonths hides the actuals and variances of the periods after `period`. The budget is shown to the end of the
 * year.
 */
export function shownMonths(months: readonly Month[], period: number): Month[] {
	return months.map((month) =>
		month.fiscal_period <= period
			? month
			: { ...month, actual: null, variance_abs: null, status: null, actual_to_date: null },
	);
}
