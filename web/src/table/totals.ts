import { Decimal, type Exact } from "../format/decimal";

/** The total of one currency. Currencies are never added to each other. */
export interface Total {
	currency: string;
	amount: string;
}

/** totals adds up the amounts of each currency, sorted by code. */
export function totals<T>(rows: readonly T[], currency: (row: T) => string, amount: (row: T) => Exact): Total[] {
	const sums = new Map<string, Decimal>();
	for (const row of rows) {
		const code = currency(row);
		sums.set(code, (sums.get(code) ?? Decimal.zero).plus(Decimal.of(amount(row))));
	}
	return [...sums].map(([code, sum]) => ({ currency: code, amount: sum.toString() })).sort(byCurrency);
}

function byCurrency(one: Total, other: Total): number {
	return one.currency < other.currency ? -1 : one.currency > other.currency ? 1 : 0;
}
