import { Decimal, type Exact } from "../format/decimal";
import type { Tone } from "./bars";

/** An amount with its name. */
export interface Named {
	label: string;
	amount: Exact;
	href?: string | undefined;
	/** The part of a statement that a step belongs to. A result so far follows the last step of a part with a title. */
	part?: { title: string } | undefined;
}

/** A bar from `start` to `end`. `amount` is what a step adds; for a result it is the level. */
export interface WaterfallBar {
	label: string;
	amount: Decimal;
	start: Decimal;
	end: Decimal;
	tone: Tone | "level";
	href?: string | undefined;
}

export interface Bars {
	bars: WaterfallBar[];
	/** The difference between `to` and the sum of the steps; zero if they reconcile. */
	gap: Decimal;
}

/** isResult reports whether a bar stands for a result, which begins at zero, not for a step. */
export function isResult({ tone }: WaterfallBar): boolean {
	return tone === "plan" || tone === "actual" || tone === "level";
}

/**
 * waterfallBars adds the steps to `from`. The last bar shows their sum, not `to`: otherwise the bars would not meet. Of more
 * than `most` steps the smallest of each part become one.
 */
export function waterfallBars(from: Named, steps: Named[], to: Named, most: number): Bars {
	const first = Decimal.of(from.amount);
	const result = (label: string, level: Decimal, tone: WaterfallBar["tone"], href?: string): WaterfallBar => ({
		label,
		amount: level,
		start: Decimal.zero,
		end: level,
		tone,
		href,
	});
	const bars = [result(from.label, first, "plan", from.href)];
	let level = first;
	const folded = foldedSteps(steps, most, to.href);
	folded.forEach(({ part, ...step }, i) => {
		const end = level.plus(step.amount);
		bars.push({ ...step, start: level, end, tone: step.amount.sign < 0 ? "bad" : "good" });
		level = end;
		const next = folded[i + 1];
		if (part?.title && next && next.part !== part) bars.push(result(part.title, level, "level"));
	});
	bars.push(result(to.label, level, "actual", to.href));
	return { bars, gap: Decimal.of(to.amount).minus(level) };
}

type Step = Omit<Named, "amount"> & { amount: Decimal };

/** The one step for the smallest leads to the list of all steps. */
function foldedSteps(steps: Named[], most: number, href: string | undefined): Step[] {
	const exact: Step[] = steps.map((step) => ({ ...step, amount: Decimal.of(step.amount) }));
	if (exact.length <= most) return exact;
	const parts = [...new Set(exact.map(({ part }) => part))];
	const bySize = [...exact].sort((a, b) => b.amount.absolute().compare(a.amount.absolute()));
	const large = new Set(bySize.slice(0, Math.max(most - parts.length, 1)));
	return parts.flatMap((part) => {
		const own = exact.filter((step) => step.part === part);
		const small = own.filter((step) => !large.has(step));
		if (small.length < 2) return own;
		const amount = Decimal.sum(small.map((step) => step.amount));
		return [...own.filter((step) => large.has(step)), { label: `${small.length} smaller items`, amount, href, part }];
	});
}
