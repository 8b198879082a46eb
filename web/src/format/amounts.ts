import { Decimal } from "./decimal";
import { figure, type Style, type Value } from "./format";

/** What amounts are counted in. Prices and counts are always exact. */
export type Unit = "exact" | "thousands" | "millions";

/** The units, the finest first. */
export const units: readonly { unit: Unit; title: string }[] = [
	{ unit: "exact", title: "Exact" },
	{ unit: "thousands", title: "Thousands" },
	{ unit: "millions", title: "Millions" },
];

/** One of a unit is 10 to this power. */
const powers: Record<Unit, number> = { exact: 0, thousands: 3, millions: 6 };

/** How the amounts of one currency are printed, all alike: in a unit, and with so many decimals. */
export interface Measure {
	unit: Unit;
	places: number;
}

/** Amounts of one currency. */
export interface Amounts {
	currency: string;
	amounts: Iterable<Value>;
}

/**
 * measureOf returns how the amounts of a column or a chart are printed: thousands without decimals, millions with one,
 * and an exact amount with the decimals of its currency. If all are whole, none has decimals.
 */
export function measureOf({ currency, amounts }: Amounts, unit: Unit): Measure {
	let needed = 0;
	for (const value of amounts) needed = Math.max(needed, placesOf(value, unit));
	return measureFor(currency, needed, unit);
}

/** measureFor is measureOf for amounts of which the longest has `needed` decimals in the unit. */
export function measureFor(currency: string, needed: number, unit: Unit): Measure {
	if (unit === "thousands" || needed === 0) return { unit, places: 0 };
	if (unit === "millions") return { unit, places: 1 };
	return { unit, places: minorDigits(currency) ?? Math.min(Math.max(needed, 2), 4) };
}

/** measureOfPrices returns how prices beside each other are printed: with the decimals of the longest, and at least 2. */
export function measureOfPrices(prices: readonly Value[]): Measure {
	return measureForPrices(Math.max(0, ...prices.map((each) => placesOf(each, "exact"))));
}

/** measureForPrices is measureOfPrices for prices of which the longest has `needed` decimals, with at most `finest`. */
export function measureForPrices(needed: number, finest = Number.POSITIVE_INFINITY): Measure {
	return { unit: "exact", places: Math.min(Math.max(needed, 2), finest) };
}

/** amount prints an amount. A dash is nothing; an amount that is too small for its unit is printed as <0.1, or (<0.1). */
export function amount(value: Value, { unit, places }: Measure, style: Omit<Style, "places"> = {}): string {
	if (value === null || value === undefined || value === "") return "";
	const exact = value instanceof Decimal ? value : Decimal.of(value);
	const counted = exact.over(powers[unit]);
	if (unit === "exact" || exact.sign === 0 || counted.rounded(places).sign !== 0)
		return figure(counted, { ...style, places });
	const least = figure(Decimal.of(1).over(places), { places });
	if (exact.sign > 0) return `<${least}`;
	return style.parentheses === false ? `>-${least}` : `(<${least})`;
}

/** tooSmall reports whether an amount rounds to zero in its unit. A float is exact enough for the width of a column. */
export function tooSmall(value: Value, { unit, places }: Measure): boolean {
	const size = Math.abs(Number(value ?? 0));
	return unit !== "exact" && size > 0 && size < 10 ** (powers[unit] - places) / 2;
}

/** price prints a price with all of its decimals, and at least 2. */
export function price(value: Value, style: Omit<Style, "places"> = {}): string {
	return figure(value, { ...style, places: Math.max(placesOf(value, "exact"), 2) });
}

/** inUnit says what amounts are counted in: USD, or USD millions. */
export function inUnit(currency: string, unit: Unit): string {
	return unit === "exact" ? currency : `${currency} ${unit}`;
}

/** An amount from this size on is long in the unit before. */
const sizes: Record<Unit, number> = { exact: 0, thousands: 1e7, millions: 1e9 };

/**
 * proposedUnit returns the unit that suits the largest amount. Of several currencies the finest unit is taken, so that
 * no currency loses its figures.
 */
export function proposedUnit(all: Iterable<Amounts>): Unit {
	const largest = new Map<string, number>();
	for (const { currency, amounts } of all) {
		let most = largest.get(currency) ?? 0;
		// A float is exact enough to compare sizes.
		for (const value of amounts) most = Math.max(most, Math.abs(Number(value ?? 0)));
		largest.set(currency, most);
	}
	const sized = [...largest.values()].filter((most) => most > 0);
	const least = Math.min(...(sized.length > 0 ? sized : [0]));
	return units.findLast(({ unit }) => least >= sizes[unit])?.unit ?? "exact";
}

/** placesOf returns the decimals that an amount has in a unit, without trailing zeros. */
export function placesOf(value: Value, unit: Unit): number {
	if (value === null || value === undefined || value === "") return 0;
	const exact = value instanceof Decimal ? value : Decimal.of(value);
	return exact.over(powers[unit]).trimmed().places;
}

/** The currencies of ISO 4217 whose minor unit is not a hundredth. */
const minorUnits = new Map(
	Object.entries({
		"BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF": 0,
		"BHD IQD JOD KWD LYD OMR TND": 3,
		"CLF UYW": 4,
	}).flatMap(([codes, digits]) => codes.split(" ").map((code): [string, number] => [code, digits])),
);

/** Metals, funds and codes for testing have no minor unit. */
const without = /^X(AG|AU|BA|BB|BC|BD|DR|PD|PT|SU|TS|UA|XX)$/;

let known: Set<string> | undefined;

/** minorDigits returns the decimals of a currency; undefined for a code that is none of ISO 4217. */
function minorDigits(currency: string): number | undefined {
	known ??= new Set(Intl.supportedValuesOf("currency"));
	if (without.test(currency)) return undefined;
	return minorUnits.get(currency) ?? (known.has(currency) ? 2 : undefined);
}
