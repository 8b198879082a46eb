import { compoundKey } from "../address/compoundKey";
import { type Measure, measureFor, measureForPrices, placesOf, type Unit } from "../format/amounts";
import type { Exact } from "../format/decimal";
import type { Column } from "./table";

/** How a column prints its amounts. */
export interface ColumnMeasure<T> {
	of(row: T): Measure;
	in(currency: string): Measure;
	/** Differs where the amounts are printed otherwise. */
	key: string;
}

interface Counted<T> {
	first: T | undefined;
	rows: number;
	unit: Unit;
	/** The most decimals of the amounts of each currency. */
	needed: Map<string, number>;
}

/** Measures finds how columns print their amounts: all of a currency alike, and all prices of a column alike. Rows that were counted are not counted again. */
export class Measures<T> {
	readonly #counted = new Map<string, Counted<T>>();

	of(column: Column<T>, rows: readonly T[], unit: Unit): ColumnMeasure<T> {
		const currency = (row: T) => column.currency?.(row) ?? "";
		const needed = this.#count(column, rows, unit, currency);
		const within = (code: string) => {
			const places = needed.get(code) ?? 0;
			return column.kind === "price" ? measureForPrices(places, column.finest) : measureFor(code, places, unit);
		};
		return {
			of: (row) => within(currency(row)),
			in: within,
			key: compoundKey([unit, ...[...needed].flatMap(([currency, places]) => [currency, String(places)])]),
		};
	}

	#count(column: Column<T>, rows: readonly T[], unit: Unit, currency: (row: T) => string): Map<string, number> {
		if (column.kind !== "figure" && column.kind !== "price") return new Map();
		const before = this.#counted.get(column.id);
		const known = before && before.unit === unit && before.first === rows[0] && before.rows <= rows.length;
		const needed = known ? before.needed : new Map<string, number>();
		for (let i = known ? before.rows : 0; i < rows.length; i++) {
			const row = rows[i] as T;
			const counted = column.kind === "price" ? "exact" : unit;
			const places = placesOf(column.value(row) as Exact | null | undefined, counted);
			needed.set(currency(row), Math.max(needed.get(currency(row)) ?? 0, places));
		}
		this.#counted.set(column.id, { first: rows[0], rows: rows.length, unit, needed });
		return needed;
	}
}
