import { accountTypeTitle } from "../../budget/accountTypes";
import { byOrder } from "../../format/currencies";
import { Decimal, type Exact } from "../../format/decimal";
import type { Item, Summary } from "./statement";

/** The groupings of a waterfall. */
export const groups = ["account", "department", "type"] as const;

export type Group = (typeof groups)[number];

interface Named {
	label: string;
	amount: Exact;
	href?: string | undefined;
}

/** The steps from the budgeted to the actual net result in one currency. */
export interface CurrencyWaterfall {
	currency: string;
	from: Named;
	steps: Named[];
	to: Named;
	total: Summary["totals"][number];
}

/** The account, department or type of a step, and its currency. */
export type Step = Pick<Item, "department" | "gl_code" | "gl_type" | "currency">;

/**
 * waterfallsOf returns a waterfall for each currency, in the order of `order`. Its steps are the items or the subtotals of
 * a summary; an item on budget is no step. `href` returns the link of a step.
 */
export function waterfallsOf(
	report: Summary,
	group: Group,
	order: readonly string[],
	href: (step: Step) => string,
): CurrencyWaterfall[] {
	const before = byOrder(order);
	return report.totals
		.toSorted((a, b) => before(a.currency, b.currency))
		.map((total) => ({
			currency: total.currency,
			from: { label: "Budget, net result after capex", amount: total.budget },
			steps: (group === "type" ? report.subtotals : report.items)
				.filter((step) => step.currency === total.currency && Decimal.of(step.variance_abs).sign !== 0)
				.map((step) => ({ label: labelOf(group, step), amount: step.variance_abs, href: href(step) })),
			to: { label: "Actual, net result after capex", amount: total.actual },
			total,
		}));
}

function labelOf(group: Group, step: Step & { gl_description?: string }): string {
	if (group === "type") return step.gl_type ? accountTypeTitle(step.gl_type) : "";
	return group === "account" ? `${step.gl_code} ${step.gl_description}` : (step.department ?? "");
}
