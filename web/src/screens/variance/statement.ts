import { compound } from "../../address/compoundKey";
import type { components } from "../../api/schema";
import { currenciesOf } from "../../format/currencies";
import { Decimal, type Exact } from "../../format/decimal";

export type Summary = components["schemas"]["VarianceSummary"];
export type Trend = components["schemas"]["VarianceTrend"];
export type TrendItem = Trend["items"][number];
export type Item = components["schemas"]["SummaryItem"];
type Subtotal = components["schemas"]["SummarySubtotal"];
type NetResult = components["schemas"]["NetResult"];

/** What a version says in a row; what it does not say is blank. */
export interface Side {
	budget: Exact | null;
	actual: Exact | null;
	variance_abs: Exact | null;
	variance_pct?: Exact;
	status?: string;
	unbudgeted?: boolean;
}

/** The types of accounts in the order of a profit and loss statement, with their names. */
export const types = [
	["revenue", "Revenue"],
	["cogs", "Cost of goods sold"],
	["opex", "Operating expenses"],
	["headcount", "Headcount"],
	["capex", "Capital expenditure"],
] as const;

export type Type = (typeof types)[number][0];

/** typeTitle is what a type of accounts is called on a page. */
export function typeTitle(type: string): string {
	return types.find(([id]) => id === type)?.[1] ?? type;
}

/** An account in one currency, known by its key, with what each version says of it. */
export interface Line {
	key: string;
	code: string;
	description: string;
	type: Type;
	favourHigh: boolean;
	currency: string;
	sides: (Item | undefined)[];
}

export interface Section {
	type: Type;
	title: string;
	lines: Line[];
	subtotals: (Subtotal | undefined)[];
}

/** A statement is of one currency: those of two are never added. */
export interface Statement {
	currency: string;
	sections: Section[];
	/** None where only a part of it is shown. */
	totals: (NetResult | undefined)[];
}

/** keyOf names a line in an address: its account and its currency. */
export function keyOf(line: { gl_code?: string; currency: string }): string {
	return compound([line.gl_code ?? "", line.currency]);
}

/** named is whether an address that says `name` means the line: by its key, or in any currency by its account. */
export function named(line: Line, name: string): boolean {
	return line.key === name || compound([line.code]) === name;
}

/** reversed is whether an account goes against its type, as discounts do among revenue: it is deducted from its total. */
export function reversed(line: Line): boolean {
	return line.favourHigh !== (line.type === "revenue");
}

/**
 * linesOf is every account and currency of the year, with the figures of each summary by account where it has
 * some: one summary and one trend for each version.
 */
export function linesOf(summaries: readonly Summary[], trends: readonly Trend[]): Line[] {
	const lines = new Map<string, Line>();
	const line = (item: Item | TrendItem): Line => {
		const key = keyOf(item);
		let found = lines.get(key);
		if (!found) {
			found = {
				key,
				code: item.gl_code ?? "",
				description: item.gl_description ?? "",
				type: item.gl_type ?? "revenue",
				favourHigh: item.favour_high ?? false,
				currency: item.currency,
				sides: summaries.map(() => undefined),
			};
			lines.set(key, found);
		}
		return found;
	};
	summaries.forEach((summary, i) => {
		for (const item of summary.items) line(item).sides[i] = item;
	});
	for (const trend of trends) for (const item of trend.items) line(item);
	const rank = new Map<string, number>(types.map(([type], i) => [type, i]));
	return [...lines.values()].sort(
		(a, b) =>
			(rank.get(a.type) ?? 0) - (rank.get(b.type) ?? 0) || ordered(a.code, b.code) || ordered(a.currency, b.currency),
	);
}

/** statementsOf are the statements of each currency, that with most lines first, with only the lines that have figures. */
export function statementsOf(summaries: readonly Summary[], lines: readonly Line[]): Statement[] {
	const shown = lines.filter((line) => line.sides.some(Boolean));
	return currenciesOf(shown).map((currency) => ({
		currency,
		sections: types
			.map(([type, title]) => ({
				type,
				title,
				lines: shown.filter((line) => line.type === type && line.currency === currency),
				subtotals: summaries.map((s) => s.subtotals.find((t) => t.gl_type === type && t.currency === currency)),
			}))
			.filter((section) => section.lines.length > 0),
		totals: summaries.map((s) => s.totals.find((t) => t.currency === currency)),
	}));
}

/** ofType are the statements with the accounts of one type alone, and without a net result, which is of all. */
export function ofType(statements: readonly Statement[], type: Type): Statement[] {
	return statements
		.map((statement) => ({
			...statement,
			sections: statement.sections.filter((section) => section.type === type),
			totals: [],
		}))
		.filter((statement) => statement.sections.length > 0);
}

/** amounts are the variances of a row's sides, as far as there are any. */
export function amounts(sides: readonly (Side | undefined)[]): Decimal[] {
	return sides.flatMap((side) => (side && side.variance_abs !== null ? [Decimal.of(side.variance_abs)] : []));
}

/** lastBooked is the newest period of the year that has any actual; 0 where none has. */
export function lastBooked(trend: Trend): number {
	let last = 0;
	for (const item of trend.items) {
		last = Math.max(last, item.actual.findLastIndex((actual) => actual !== null) + 1);
	}
	return last;
}

/** monthsOf is a line period by period; what is not booked yet has a budget, but no variance. */
export function monthsOf(item: TrendItem | undefined, booked: number): (Side | undefined)[] {
	return Array.from({ length: 12 }, (_, i) => {
		const budget = item?.budget[i] ?? null;
		const actual = item?.actual[i] ?? null;
		const variance = item?.variance_abs[i] ?? null;
		if (variance === null) return undefined;
		if (i >= booked) return { budget, actual, variance_abs: null };
		const status = Decimal.of(variance).sign < 0 ? "unfavourable" : "favourable";
		return { budget, actual, variance_abs: variance, status, unbudgeted: budget === null };
	});
}

function ordered(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
