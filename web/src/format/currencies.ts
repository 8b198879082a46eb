/** A currency, and how many lines or other records it has. */
interface Counted {
	currency: string;
	lines: number;
}

/** byLineCount sorts the currency with the most lines first, on every screen. */
export function byLineCount(a: Counted, b: Counted): number {
	return b.lines - a.lines || a.currency.localeCompare(b.currency, "en");
}

/** currenciesOf returns the currencies of lines, sorted by byLineCount. */
export function currenciesOf(lines: readonly { currency: string }[]): string[] {
	const counts = new Map<string, number>();
	for (const { currency } of lines) counts.set(currency, (counts.get(currency) ?? 0) + 1);
	return [...counts]
		.map(([currency, lines]) => ({ currency, lines }))
		.sort(byLineCount)
		.map(({ currency }) => currency);
}

/** byOrder sorts currencies in the order of a list. Currencies that are not in the list come last. */
export function byOrder(order: readonly string[]): (a: string, b: string) => number {
	const rank = (currency: string) => (order.includes(currency) ? order.indexOf(currency) : order.length);
	return (a, b) => rank(a) - rank(b) || a.localeCompare(b, "en");
}
