import type { components } from "../../api/schema";
import { like } from "../../format/currencies";
import { Decimal } from "../../format/decimal";

export type Line = components["schemas"]["SummaryItem"];

/** A line of a report with what alerts are chosen and sorted by. */
export interface Alert {
	line: Line;
	/** How far from budget, in percent, whichever way. */
	percent: Decimal;
	/** How far from budget, as an amount, whichever way. */
	amount: Decimal;
}

/** alertOf measures a line. */
export function alertOf(line: Line): Alert {
	return { line, percent: Decimal.of(line.variance_pct).absolute(), amount: Decimal.of(line.variance_abs).absolute() };
}

/** beyond keeps what is farther from budget than the threshold, at which is no alert, and of one outcome where it is named. */
export function beyond(alerts: readonly Alert[], threshold: Decimal, only = ""): Alert[] {
	return alerts.filter(({ line, percent }) => percent.compare(threshold) > 0 && (only === "" || line.status === only));
}

/** byAmount is the largest first, currency by currency in their order: amounts of two currencies do not compare. */
export function byAmount(order: readonly string[]): (a: Alert, b: Alert) => number {
	const before = like(order);
	return (a, b) => before(a.line.currency, b.line.currency) || b.amount.compare(a.amount);
}

/** thresholdOf reads a threshold in any notation of a number, such as .5 and 1e3; undefined where the text is none. */
export function thresholdOf(text: string): Decimal | undefined {
	const threshold = Decimal.read(text);
	return threshold && threshold.sign >= 0 ? threshold : undefined;
}
