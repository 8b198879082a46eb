import type { AccountType } from "../../budget/accountTypes";
import { directionOf } from "../../budget/direction";
import { percentOf } from "../../budget/percent";
import { Decimal, type Exact } from "../../format/decimal";
import { percent } from "../../format/format";
import type { Section, Side } from "./statement";

/** The types of costs before capital expenditure. */
const operating: readonly AccountType[] = ["opex", "headcount"];

/**
 * resultsOf puts the results that follow from the types of accounts below the sections of a statement: gross profit after
 * the cost of goods sold, and the operating result before capital expenditure. Where there is none, the operating result is
 * the net result, and has no row of its own.
 */
export function resultsOf(sections: readonly Section[]): Section[] {
	const has = (type: AccountType) => sections.some((section) => section.type === type);
	const lastCost = sections.findLast(({ type }) => operating.includes(type));
	return sections.map((section, i) => {
		const above = sections.slice(0, i + 1);
		if (section.type === "cogs" && has("revenue")) return { ...section, result: result("Gross profit", above, false) };
		if (section === lastCost && has("revenue") && has("capex"))
			return { ...section, result: result("Operating result", above, true) };
		return section;
	});
}

function result(title: string, above: readonly Section[], last: boolean) {
	const versions = above[0]?.subtotals.length ?? 0;
	const sides = Array.from({ length: versions }, (_, i) => sideOf(above, i));
	return { title, last, sides, margin: marginOf(above, sides) };
}

/** sideOf takes costs from revenue in one version. Variances already have the sign of the result. */
function sideOf(above: readonly Section[], version: number): Side | undefined {
	if (above.every(({ subtotals }) => subtotals[version] === undefined)) return undefined;
	const sum = (of: (side: Side) => Exact | null, costs: -1 | 1) =>
		Decimal.sum(
			above.flatMap(({ type, subtotals }) => {
				const side = subtotals[version];
				const amount = Decimal.of((side && of(side)) ?? 0);
				return type !== "revenue" && costs < 0 ? amount.negated() : amount;
			}),
		);
	const budget = sum((side) => side.budget, -1);
	const variance = sum((side) => side.variance_abs, 1);
	return {
		budget: budget.toString(),
		actual: sum((side) => side.actual, -1).toString(),
		variance_abs: variance.toString(),
		variance_pct: percentOf(variance, budget),
		status: directionOf(variance).spoken,
	};
}

/** marginOf says a result in percent of revenue: of the actual and of the budget, where both have revenue. */
function marginOf([revenue]: readonly Section[], [side]: readonly (Side | undefined)[]): string {
	const of = revenue?.subtotals[0];
	const share = (amount: Exact | null | undefined, all: Exact | null | undefined) => {
		const whole = Decimal.of(all ?? 0);
		return whole.sign > 0 ? percent(percentOf(Decimal.of(amount ?? 0), whole), { zeroDash: false }) : "";
	};
	const [actual, budget] = [share(side?.actual, of?.actual), share(side?.budget, of?.budget)];
	return actual && budget ? `${actual} of revenue; budget ${budget}` : "";
}
