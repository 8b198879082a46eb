import type { components } from "../../api/schema";
import type { Piece } from "../../budget/answer";
import { percentOf } from "../../budget/percent";
import { Decimal, type Exact } from "../../format/decimal";
import { percent } from "../../format/format";

type Month = components["schemas"]["CurrencyOverview"]["months"][number];
type Item = components["schemas"]["VarianceTrend"]["items"][number];

/** What a net result is made of, and the result itself. */
export type Part = "revenue" | "costs" | "result";

const titles: Record<Part, string> = { revenue: "Revenue", costs: "Costs", result: "Net result after capex" };

export function titleOf(part: Part): string {
	return titles[part];
}

/**
 * monthsOf adds up the accounts of a part in each period, as an overview does for the result. A contra account is
 * deducted. Costs are every account but revenue, capital expenditure too.
 */
export function monthsOf(items: readonly Item[], part: "revenue" | "costs"): Month[] {
	const own = items.filter((item) => (item.gl_type === "revenue") === (part === "revenue"));
	const sum = (at: number, of: "budget" | "actual" | "variance_abs"): Decimal | null => {
		const there = own.filter((item) => (item[of][at] ?? null) !== null);
		if (there.length === 0) return null;
		const deducted = (item: Item) => item.contra && of !== "variance_abs";
		return Decimal.sum(
			there.map((item) => {
				const amount = Decimal.of(item[of][at] ?? 0);
				return deducted(item) ? amount.negated() : amount;
			}),
		);
	};
	let budgetToDate: Decimal | null = null;
	let actualToDate: Decimal | null = null;
	return Array.from({ length: 12 }, (_, at) => {
		const [budget, actual, variance] = [sum(at, "budget"), sum(at, "actual"), sum(at, "variance_abs")];
		budgetToDate = together(budgetToDate, budget);
		actualToDate = together(actualToDate, actual);
		return {
			fiscal_period: at + 1,
			budget: exact(budget),
			actual: exact(actual),
			variance_abs: exact(variance),
			status: variance === null ? null : variance.sign < 0 ? "unfavourable" : "favourable",
			budget_to_date: exact(budgetToDate),
			actual_to_date: exact(actualToDate),
		};
	});
}

function together(one: Decimal | null, other: Decimal | null): Decimal | null {
	return one && other ? one.plus(other) : (one ?? other);
}

function exact(sum: Decimal | null): Exact | null {
	return sum?.toString() ?? null;
}

/** A plan and its actual; a side without anything is null. */
export interface Net {
	budget: Exact | null;
	actual: Exact | null;
	variance_abs: Exact;
}

/** netsOf returns the figures of a period, and of the year to date. */
export function netsOf(months: readonly Month[], period: number): { alone: Net; toDate: Net } {
	const month = months[period - 1];
	const variances = months.slice(0, period).map(({ variance_abs }) => Decimal.of(variance_abs ?? 0));
	return {
		alone: {
			budget: month?.budget ?? null,
			actual: month?.actual ?? null,
			variance_abs: month?.variance_abs ?? 0,
		},
		toDate: {
			budget: month?.budget_to_date ?? null,
			actual: month?.actual_to_date ?? null,
			variance_abs: Decimal.sum(variances).toString(),
		},
	};
}

/** againstPlan says what was planned, and how far the actual is from it. */
export function againstPlan(net: Net, planned: string, href: string): Piece[] {
	const title = planned.slice(0, 1).toUpperCase() + planned.slice(1);
	if (net.budget === null) return [`No ${planned}`];
	if (net.actual === null) return [`${title} `, { amount: net.budget, href }, ", no actual yet"];
	return [`${title} `, ...offPlan(net, net.budget, planned, href)];
}

/** ofPeriod says the actual of a period, what was planned, and how far the two are apart. */
export function ofPeriod(net: Net, name: string, planned: string, href: string): Piece[] {
	const { budget, actual } = net;
	const is: Piece[] = actual === null ? [`${name}: no actual yet`] : [`${name}: `, { amount: actual, href }];
	if (budget === null) return [...is, `, no ${planned}`];
	if (actual === null) return [...is, `, ${planned} `, { amount: budget, href }];
	return [...is, `, ${planned} `, ...offPlan(net, budget, planned, href)];
}

function offPlan({ variance_abs }: Net, budget: Exact, planned: string, href: string): Piece[] {
	const [off, of] = [Decimal.of(variance_abs), Decimal.of(budget)];
	const plan: Piece = { amount: budget, href };
	if (off.sign === 0) return [plan, `, exactly on ${planned}`];
	const share = of.sign === 0 ? "" : `, ${percent(percentOf(off.absolute(), of), { zeroDash: false })}`;
	return [plan, ": ", { variance: off, href }, share];
}
