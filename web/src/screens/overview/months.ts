import type { components } from "../../api/schema";
import { Decimal, type Exact } from "../../format/decimal";

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

interface Column {
	name: string;
	actual: Exact | null;
	plan: Exact | null;
	variance: Exact | null;
	href: string;
	now: boolean;
}

/**
 * columnsOf returns a column for each month: of the month alone, or of the year to date. `href` returns the link of a
 * period.
 */
export function columnsOf(
	months: readonly Month[],
	toDate: boolean,
	period: number,
	href: (period: number) => string,
): Column[] {
	let sofar = Decimal.zero;
	return months.map((month) => {
		const own = month.variance_abs;
		if (own !== null) sofar = sofar.plus(Decimal.of(own));
		const off = month.fiscal_period > period ? null : sofar.toString();
		return {
			name: `P${String(month.fiscal_period).padStart(2, "0")}`,
			actual: toDate ? month.actual_to_date : month.actual,
			plan: toDate ? month.budget_to_date : month.budget,
			variance: toDate ? off : own,
			href: href(month.fiscal_period),
			now: month.fiscal_period === period,
		};
	});
}
