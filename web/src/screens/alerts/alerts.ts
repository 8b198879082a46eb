import type { components } from "../../api/schema";
import { byOrder } from "../../format/currencies";
import { Decimal } from "../../format/decimal";

export type Line = components["schemas"]["SummaryItem"];

/** A line of a report, with its distance from budget. */
export interface Alert {
	line: Line;
	/** The distance in percent, without a sign. */
	percent: Decimal;
	/** The distance as an amount, without a sign. */
	amount: Decimal;
}

/** alertOf measures the distance of a line. */
export function alertOf(line: Line): Alert {
	return { line, percent: Decimal.of(line.variance_pct).absolute(), amount: Decimal.of(line.variance_abs).absolute() };
}

/**
 * aboveThreshold returns the lines above the threshold, as the server counts alerts: a line at the threshold is none. `only`
 * selects one status.
 */
export function aboveThreshold(alerts: readonly Alert[], threshold: Decimal, only = ""): Alert[] {
	return alerts.filter(({ line, percent }) => percent.compare(threshold) > 0 && (only === "" || line.status === only));
}

/**
 * byAmount sorts by amount, the largest first, within each currency. Amounts in different currencies do not compare.
 */
export function byAmount(order: readonly string[]): (a: Alert, b: Alert) => number {
	const before = byOrder(order);
	return (a, b) => before(a.line.currency, b.line.currency) || b.amount.compare(a.amount);
}

/** readThreshold reads a threshold in any notation of a number, such as .5 and 1e3; undefined if it is invalid. */
export function readThreshold(text: string): Decimal | undefined {
	const threshold = Decimal.read(text);
	return threshold && threshold.sign >= 0 ? threshold : undefined;
}
