import { type AccountType, accountTypes } from "../../budget/accountTypes";
import { isolated } from "../../format/bidi";
import { byOrder } from "../../format/currencies";
import { Decimal, type Exact } from "../../format/decimal";
import type { Item, TrendItem } from "./statement";

/** The fewest and the most departments that a heat map shows by default. The others are one column. */
const [fewest, most] = [1, 12];

/** The widths, in pixels, of a letter of a cell, of the space beside it, and of the names, also in little space. */
const letter = 6.6;
const space = 18;
const names = { wide: 284, narrow: 110, below: 740 };

/**
 * departmentsIn returns how many departments have room in a width, beside the names, the others and the sums. `letters` is
 * the length of the longest cell.
 */
export function departmentsIn(width: number, letters: number): number {
	const column = Math.max(57, letters * letter + space);
	const beside = (width < names.below ? names.narrow : names.wide) + 2 * (column + 8);
	return Math.min(Math.max(Math.floor((width - beside) / column), fewest), most);
}

/** The variance of a cell, a row or a column, and its budget: revenue less costs. */
export interface Sum {
	variance: Decimal;
	budget: Decimal;
}

/** A cell: the variance of an account by a department, or in a period. `percent` is that of the server. */
export interface HeatCell extends Sum {
	account: string;
	column: string;
	percent: Exact | undefined;
}

interface Row extends Sum {
	key: string;
	label: string;
}

interface Column extends Sum {
	key: string;
}

/** The accounts of a type, the worst first. Its sums are also of its accounts that have no row. */
export interface Group {
	type: AccountType;
	rows: Row[];
	total: Sum;
	/** The sums by column. */
	columns: Map<string, Sum>;
	/** The sum of the departments without a column, if any of them has these accounts. */
	others: Sum | undefined;
}

/** The heat map of one currency: an account a row, by type; a department or a period a column. */
export interface CurrencyHeatMap {
	currency: string;
	/** The types that have rows, in the order of the statement. */
	groups: Group[];
	columns: Column[];
	/** The cells by account, then by column. */
	cells: Map<string, Map<string, HeatCell>>;
	/** The sums of the departments without a column, by account, and how many these are. */
	others: { count: number; total: Sum; of: Map<string, Sum> };
	total: Sum;
	/** How many departments are off budget. */
	departments: number;
	/** How many columns there are, shown or not, and how many of them are worse and better than budget. */
	counts: { all: number; worse: number; better: number };
	/** The two cells that are farthest off budget. */
	farthest: HeatCell[];
}

const nothing: Sum = { variance: Decimal.zero, budget: Decimal.zero };

function add(one: Sum | undefined, other: Sum): Sum {
	if (!one) return { variance: other.variance, budget: other.budget };
	return { variance: one.variance.plus(other.variance), budget: one.budget.plus(other.budget) };
}

/** sums adds up cells under the names that `key` returns. */
function sums(cells: readonly HeatCell[], key: (cell: HeatCell) => string): Map<string, Sum> {
	const found = new Map<string, Sum>();
	for (const cell of cells) found.set(key(cell), add(found.get(key(cell)), cell));
	return found;
}

const totalOf = (cells: readonly HeatCell[]) => cells.reduce(add, nothing);
const worstFirst = (a: Sum, b: Sum) => a.variance.compare(b.variance);

/** toProfit returns a budget as it counts for the result. */
function toProfit(budget: Exact | null, { favour_high }: { favour_high?: boolean }): Decimal {
	const exact = Decimal.of(budget ?? 0);
	return favour_high === false ? exact.negated() : exact;
}

/** percentOf returns a variance in percent of its budget, precise enough for a decimal; undefined without a budget. */
export function percentOf({ variance, budget }: Sum): string | undefined {
	if (budget.sign === 0) return undefined;
	return ((variance.number / budget.absolute().number) * 100).toFixed(4);
}

/**
 * departmentMaps returns a heat map of accounts by department for each currency, in the order of `order`. It has columns
 * for the `shown` departments that are farthest off budget, the worst first.
 */
export function departmentMaps(items: readonly Item[], order: readonly string[], shown: number): CurrencyHeatMap[] {
	return inCurrencies(items, order).map(({ currency, items }) => {
		const cells = items.map(
			(item): HeatCell => ({
				account: item.gl_code ?? "",
				column: item.department ?? "",
				variance: Decimal.of(item.variance_abs),
				budget: toProfit(item.budget, item),
				percent: item.variance_pct,
			}),
		);
		const off = new Map<string, Decimal>();
		for (const { column, variance } of cells)
			off.set(column, (off.get(column) ?? Decimal.zero).plus(variance.absolute()));
		const farthest = [...off].filter(([, far]) => far.sign !== 0).sort(([, a], [, b]) => b.compare(a));
		const keys = new Set(farthest.slice(0, shown).map(([code]) => code));
		const map = mapOf(currency, items, cells, keys);
		const columns = map.columns.toSorted(worstFirst);
		return { ...map, columns, departments: farthest.length };
	});
}

/** periodMaps returns a heat map of accounts by period for each currency, up to the period `last`. */
export function periodMaps(items: readonly TrendItem[], order: readonly string[], last: number): CurrencyHeatMap[] {
	return inCurrencies(items, order).map(({ currency, items }) => {
		const cells = items.flatMap((item) =>
			item.variance_abs.slice(0, last).flatMap((variance, i): HeatCell[] => {
				if (variance === null) return [];
				const sum = { variance: Decimal.of(variance), budget: toProfit(item.budget[i] ?? null, item) };
				return [{ ...sum, account: item.gl_code ?? "", column: String(i + 1), percent: percentOf(sum) }];
			}),
		);
		const keys = new Set(Array.from({ length: last }, (_, i) => String(i + 1)));
		return mapOf(currency, items, cells, keys);
	});
}

/** mapOf returns a map with a column for each key. It leaves out the accounts that are on budget in every cell. */
function mapOf(
	currency: string,
	items: readonly (Item | TrendItem)[],
	cells: readonly HeatCell[],
	keys: ReadonlySet<string>,
): CurrencyHeatMap {
	const empty = new Set(cells.map(({ account }) => account));
	for (const { account, variance } of cells) if (variance.sign !== 0) empty.delete(account);
	const named = new Map(items.map((item) => [item.gl_code ?? "", isolated(item.gl_description || item.gl_code || "")]));
	const shown = cells.filter(({ column }) => keys.has(column));
	const rest = cells.filter(({ column }) => !keys.has(column));
	const byColumn = sums(shown, ({ column }) => column);
	const byRow: CurrencyHeatMap["cells"] = new Map();
	for (const cell of shown) byRow.set(cell.account, (byRow.get(cell.account) ?? new Map()).set(cell.column, cell));
	const types = new Map(items.map((item) => [item.gl_code ?? "", item.gl_type]));
	return {
		currency,
		groups: accountTypes.flatMap((type) => {
			const of = cells.filter(({ account }) => types.get(account) === type);
			const rows = [...sums(of, ({ account }) => account)]
				.filter(([key]) => !empty.has(key))
				.map(([key, sum]) => ({ key, label: named.get(key) ?? key, ...sum }))
				.sort(worstFirst);
			if (rows.length === 0) return [];
			const columns = sums(of, ({ column }) => column);
			const rest = of.filter(({ column }) => !keys.has(column));
			return [{ type, rows, total: totalOf(of), columns, others: rest.length > 0 ? totalOf(rest) : undefined }];
		}),
		columns: [...keys].map((key) => ({ key, ...(byColumn.get(key) ?? nothing) })),
		cells: byRow,
		others: {
			count: new Set(rest.filter(({ variance }) => variance.sign !== 0).map(({ column }) => column)).size,
			total: totalOf(rest),
			of: sums(rest, ({ account }) => account),
		},
		total: totalOf(cells),
		departments: 0,
		counts: countsOf(cells),
		farthest: cells
			.filter(({ variance }) => variance.sign !== 0)
			.toSorted((a, b) => b.variance.absolute().compare(a.variance.absolute()))
			.slice(0, 2),
	};
}

function countsOf(cells: readonly HeatCell[]): CurrencyHeatMap["counts"] {
	const signs = [...sums(cells, ({ column }) => column).values()].map(({ variance }) => variance.sign);
	const of = (sign: number) => signs.filter((each) => each === sign).length;
	return { all: signs.length, worse: of(-1), better: of(1) };
}

/** inCurrencies returns the items of each currency, in the order of `order`. */
function inCurrencies<T extends { currency: string }>(items: readonly T[], order: readonly string[]) {
	return [...new Set(items.map((item) => item.currency))]
		.sort(byOrder(order))
		.map((currency) => ({ currency, items: items.filter((item) => item.currency === currency) }));
}
