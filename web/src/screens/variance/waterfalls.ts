import { accountTypes, accountTypeTitle } from "../../budget/accountTypes";
import { isolated } from "../../format/bidi";
import { byOrder } from "../../format/currencies";
import { Decimal, type Exact } from "../../format/decimal";
import type { Item, Summary } from "./statement";

/** The groupings of a waterfall. */
export const groups = ["account", "department", "type"] as const;

export type Group = (typeof groups)[number];

/** The orders of the steps of a waterfall. */
export const orders = ["statement", "size"] as const;

export type Order = (typeof orders)[number];

/** An amount with its name. */
export interface Named {
	label: string;
	amount: Exact;
	href?: string | undefined;
	part?: { title: string } | undefined;
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
 * a summary; an item on budget is no step. As in the statement, the result after revenue stands between revenues and
 * costs. `href` returns the link of a step. `names` has the names of
 * the departments by code.
 */
export function waterfallsOf(
	report: Summary,
	group: Group,
	order: Order,
	currencies: readonly string[],
	href: (step: Step) => string,
	names: ReadonlyMap<string, string> = new Map(),
): CurrencyWaterfall[] {
	const before = byOrder(currencies);
	const revenue = { title: "After revenue" };
	const costs = { title: "" };
	const partOf = ({ gl_type }: Step) => (gl_type === "revenue" ? revenue : costs);
	return report.totals
		.toSorted((a, b) => before(a.currency, b.currency))
		.map((total) => {
			const items = (group === "type" ? report.subtotals : report.items)
				.filter((step) => step.currency === total.currency && Decimal.of(step.variance_abs).sign !== 0)
				.toSorted((a, b) => typeRank(a) - typeRank(b));
			const steps = items.map((step) => ({
				label: labelOf(group, step, names),
				amount: step.variance_abs,
				href: href(step),
				part: group === "department" || order === "size" ? undefined : partOf(step),
			}));
			return {
				currency: total.currency,
				from: { label: "Budget: net result after capex", amount: total.budget },
				steps: order === "size" ? steps.toSorted((a, b) => size(b).compare(size(a))) : steps,
				to: { label: "Actual: net result after capex", amount: total.actual },
				total,
			};
		});
}

const size = ({ amount }: Named) => Decimal.of(amount).absolute();
const typeRank = ({ gl_type }: Step) => (gl_type ? accountTypes.indexOf(gl_type) : 0);

function labelOf(group: Group, step: Step & { gl_description?: string }, names: ReadonlyMap<string, string>): string {
	if (group === "type") return step.gl_type ? accountTypeTitle(step.gl_type) : "";
	return group === "account"
		? isolated(step.gl_description || step.gl_code || "")
		: (names.get(step.department ?? "") ?? step.department ?? "");
}
