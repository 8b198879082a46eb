import { Decimal, type Exact } from "../format/decimal";
import type { Tone } from "./bars";

/** An amount with its name. */
export interface Named {
	label: string;
	amount: Exact;
	href?: string | undefined;
}

/** A bar from `start` to `end`. `amount` is what a step adds; for the first and the last bar it is the level. */
export interface WaterfallBar {
	label: string;
	amount: Decimal;
	start: Decimal;
	end: Decimal;
	tone: Tone;
	href?: string | undefined;
}

export interface Bars {
	bars: WaterfallBar[];
	/** The difference between `to` and the sum of the steps; zero if they reconcile. */
	gap: Decimal;
}

/**
 * waterfallBars adds the steps to `from`. The last bar shows their sum, not `to`: otherwise the bars would not meet. Of more
 * than `most` steps the smallest become one.
 */
export function waterfallBars(from: Named, steps: Named[], to: Named, most: number): Bars {
	const first = Decimal.of(from.amount);
	const bars: WaterfallBar[] = [
		{ label: from.label, amount: first, start: Decimal.zero, end: first, tone: "plan", href: from.href },
	];
	let level = first;
	for (const step of folded(steps, most, to.href)) {
		const end = level.plus(step.amount);
		bars.push({ ...step, start: level, end, tone: step.amount.sign < 0 ? "bad" : "good" });
		level = end;
	}
	bars.push({ label: to.label, amount: level, start: Decimal.zero, end: level, tone: "actual", href: to.href });
	return { bars, gap: Decimal.of(to.amount).minus(level) };
}

interface Step {
	label: string;
	amount: Decimal;
	href?: string | undefined;
}

/** The one step for the smallest leads to the list of all steps. */
function folded(steps: Named[], most: number, href: string | undefined): Step[] {
	const exact: Step[] = steps.map((step) => ({ ...step, amount: Decimal.of(step.amount) }));
	if (exact.length <= most) return exact;
	const bySize = [...exact].sort((a, b) => b.amount.absolute().compare(a.amount.absolute()));
	const large = new Set(bySize.slice(0, most - 1));
	const small = exact.filter((step) => !large.has(step));
	const rest = { label: `${small.length} smaller items`, amount: Decimal.sum(small.map((step) => step.amount)), href };
	return [...exact.filter((step) => large.has(step)), rest];
}
