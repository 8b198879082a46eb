import { like } from "../../format/currencies";
import { Decimal } from "../../format/decimal";
import type { Item } from "./statement";

/** How many departments a heat map shows unless all are asked for. */
export const most = 30;

interface Head {
	key: string;
	label: string;
}

/** A map is of one currency: its rows are accounts as they come, its columns departments by their code. */
export interface HeatOf {
	currency: string;
	rows: Head[];
	columns: Head[];
	/** By account, then department. */
	items: Map<string, Map<string, Item>>;
	/** How many departments have figures, shown or not. */
	departments: number;
}

/** mapsOf are the lines of departments, of each currency, in their order, with the departments farthest off budget. */
export function mapsOf(items: readonly Item[], order: readonly string[], departments: number): HeatOf[] {
	const currencies = [...new Set(items.map((item) => item.currency))].sort(like(order));
	return currencies.map((currency) =>
		mapOf(
			currency,
			items.filter((item) => item.currency === currency),
			departments,
		),
	);
}

function mapOf(currency: string, items: Item[], departments: number): HeatOf {
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
