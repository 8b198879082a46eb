import { Decimal, type Exact } from "../../lib/decimal";
import { type Item, type Summary, typeTitle } from "./statement";

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

/** walksOf go from budget to actual by the items of a summary, or by its subtotals; what is on budget is no step. */
export function walksOf(report: Summary, group: Group, href: (group: Group, item: Item) => string): Walk[] {
	return report.totals.map((total) => {
		const steps =
			group === "type"
				? report.subtotals
						.filter((subtotal) => subtotal.currency === total.currency)
						.map((subtotal) => ({ label: typeTitle(subtotal.gl_type), amount: subtotal.variance_abs }))
				: report.items
						.filter((item) => item.currency === total.currency)
						.map((item) => ({
							label: group === "account" ? `${item.gl_code} ${item.gl_description}` : (item.department ?? ""),
							amount: item.variance_abs,
							href: href(group, item),
						}));
		return {
			currency: total.currency,
			from: { label: "Budget, net result", amount: total.budget },
			steps: steps.filter((step) => Decimal.of(step.amount).sign !== 0),
			to: { label: "Actual, net result", amount: total.actual },
			total,
		};
	});
}
