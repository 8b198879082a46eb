import { accountTypeTitle } from "../../budget/accountTypes";
import { like } from "../../format/currencies";
import { Decimal, type Exact } from "../../format/decimal";
import type { Item, Summary } from "./statement";

/** What a net result is explained by. */
export const groups = ["account", "department", "type"] as const;

export type Group = (typeof groups)[number];

interface Named {
	label: string;
	amount: Exact;
	href?: string | undefined;
}

/** How a currency's budgeted net result becomes the actual one. */
export interface Walk {
	currency: string;
	from: Named;
	steps: Named[];
	to: Named;
	total: Summary["totals"][number];
}

/** What a step is of: an account, a department or a type, in a currency. */
export type Step = Pick<Item, "department" | "gl_code" | "gl_type" | "currency">;

/**
 * walksOf go from budget to actual by the items of a summary, or by its subtotals; what is on budget is no step.
 * The currencies come in their order, and each step leads to where its `href` says.
 */
export function walksOf(report: Summary, group: Group, order: readonly string[], href: (step: Step) => string): Walk[] {
	const before = like(order);
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
