import { Decimal, type Exact } from "../../format/decimal";

/**
 * resultOf returns the unrealised result in percent of what the position cost, precise enough for one decimal; null if it
 * cost nothing.
 */
export function resultOf({ value, unrealised }: { value: Exact; unrealised: Exact }): string | null {
	const result = Decimal.of(unrealised);
	const cost = Decimal.of(value).minus(result).absolute();
	if (cost.sign === 0) return null;
	return ((result.number / cost.number) * 100).toFixed(4);
}

/** largest returns the n items farthest from zero, by amount in descending order. It leaves out those at zero. */
export function largest<T>(of: readonly T[], amount: (item: T) => Exact, n: number): T[] {
	const exact = of.map((item) => ({ item, amount: Decimal.of(amount(item)) }));
	return exact
		.filter((each) => each.amount.sign !== 0)
		.sort((a, b) => b.amount.absolute().compare(a.amount.absolute()))
		.slice(0, n)
		.sort((a, b) => b.amount.compare(a.amount))
		.map(({ item }) => item);
}
