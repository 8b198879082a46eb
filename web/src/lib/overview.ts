import { Decimal, type Exact } from "./decimal";
import type { components } from "./schema";

type Standing = components["schemas"]["Standing"];
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

/** A currency, and how many lines, or whatever there is of it, are in it. */
interface Counted {
	currency: string;
	lines: number;
}

/** byLines puts the currency with the most lines first: the order of currencies on every screen. */
export function byLines(a: Counted, b: Counted): number {
	return b.lines - a.lines || a.currency.localeCompare(b.currency, "en");
}

/** currenciesOf are the currencies of lines, in the order of byLines. */
export function currenciesOf(lines: readonly { currency: string }[]): string[] {
	const counts = new Map<string, number>();
	for (const { currency } of lines) counts.set(currency, (counts.get(currency) ?? 0) + 1);
	return [...counts]
		.map(([currency, lines]) => ({ currency, lines }))
		.sort(byLines)
		.map(({ currency }) => currency);
}

/** like puts currencies in the order of a list of them; those that are not in it come last. */
export function like(order: readonly string[]): (a: string, b: string) => number {
	const rank = (currency: string) => (order.includes(currency) ? order.indexOf(currency) : order.length);
	return (a, b) => rank(a) - rank(b) || a.localeCompare(b, "en");
}

/** behind is by how many periods a source is older than the newest of them. */
export function behind(source: Source, sources: readonly Source[]): number {
	const count = (s: Source) => s.fiscal_year * 12 + s.fiscal_period;
	return Math.max(...sources.map(count)) - count(source);
}
