/** A currency, and how many lines, or whatever there is of it, are in it. */
interface Counted {
	currency: string;
	lines: number;
}

/** byLines puts the currency with the most lines first: the order of currencies on every screen. */
export function byLines(a: Counted, b: Counted): number {
	return b.lines - a.lines || a.currency.localeCompare(b.currency, "en");
}

/** currenciesOf are the currencies of lines, in the order of byLines. */
export function currenciesOf(lines: readonly { currency: string }[]): string[] {
	const counts = new Map<string, number>();
	for (const { currency } of lines) counts.set(currency, (counts.get(currency) ?? 0) + 1);
	return [...counts]
		.map(([currency, lines]) => ({ currency, lines }))
		.sort(byLines)
		.map(({ currency }) => currency);
}

/** like puts currencies in the order of a list of them; those that are not in it come last. */
export function like(order: readonly string[]): (a: string, b: string) => number {
	const rank = (currency: string) => (order.includes(currency) ? order.indexOf(currency) : order.length);
	return (a, b) => rank(a) - rank(b) || a.localeCompare(b, "en");
}
