import { byOrder } from "../../format/currencies";
import { Decimal } from "../../format/decimal";
import type { Item } from "./statement";

/** How many departments a heat map shows by default. */
export const most = 30;

interface Head {
	key: string;
	label: string;
}

/** The heat map of one currency. Rows are accounts in the order of the report, columns are departments by code. */
export interface CurrencyHeatMap {
	currency: string;
	rows: Head[];
	columns: Head[];
	/** The items by account, then by department. */
	items: Map<string, Map<string, Item>>;
	/** How many departments have figures, including hidden ones. */
	departments: number;
}

/**
 * heatMapsOf returns a heat map for each currency, in the order of `order`, with the departments that are farthest off
 * budget.
 */
export function heatMapsOf(items: readonly Item[], order: readonly string[], departments: number): CurrencyHeatMap[] {
	const currencies = [...new Set(items.map((item) => item.currency))].sort(byOrder(order));
	return currencies.map((currency) =>
		mapOf(
			currency,
			items.filter((item) => item.currency === currency),
			departments,
		),
	);
}

function mapOf(currency: string, items: Item[], departments: number): CurrencyHeatMap {
	const off = new Map<string, Decimal>();
	for (const item of items) {
		const code = item.department ?? "";
		off.set(code, (off.get(code) ?? Decimal.zero).plus(Decimal.of(item.variance_abs).absolute()));
	}
	const farthest = [...off].sort(([, a], [, b]) => b.compare(a)).slice(0, departments);
	const shown = new Set(farthest.map(([code]) => code));
	const cells = new Map<string, Map<string, Item>>();
	const rows: Head[] = [];
	for (const item of items) {
		if (!shown.has(item.department ?? "")) continue;
		const key = item.gl_code ?? "";
		let row = cells.get(key);
		if (!row) {
			row = new Map();
			cells.set(key, row);
			rows.push({ key, label: `${key} ${item.gl_description}` });
		}
		row.set(item.department ?? "", item);
	}
	const columns = [...shown].sort().map((code) => ({ key: code, label: code }));
	return { currency, rows, columns, items: cells, departments: off.size };
}
