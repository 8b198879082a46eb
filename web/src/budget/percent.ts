import { Decimal } from "../format/decimal";

/**
 * percentOf returns a variance in percent of its budget by the rule of the interface: two decimals, half away from zero;
 * without a budget 100 with the sign of the variance.
 */
export function percentOf(variance: Decimal, budget: Decimal): string {
	if (budget.sign === 0) return String(100 * variance.sign);
	const [of, size] = [budget.absolute(), variance.absolute()];
	const share = size.units * 10n ** BigInt(of.places) * 10_000n;
	const whole = of.units * 10n ** BigInt(size.places);
	const rounded = Decimal.of(String((2n * share + whole) / (2n * whole))).over(2);
	return (variance.sign < 0 ? rounded.negated() : rounded).toString();
}
