import { compound } from "../../address/compoundKey";
import type { components } from "../../api/schema";
import { type AccountType, accountTypes, accountTypeTitle } from "../../budget/accountTypes";
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

/** An account in one currency, known by its key, with what each version says of it. */
export interface Line {
	key: string;
	code: string;
	description: string;
	type: AccountType;
	favourHigh: boolean;
	contra: boolean;
	currency: string;
	sides: (Item | undefined)[];
}

export interface Section {
	type: AccountType;
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
				contra: item.contra ?? false,
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
	return [...lines.values()].sort(
		(a, b) =>
			accountTypes.indexOf(a.type) - accountTypes.indexOf(b.type) ||
			ordered(a.code, b.code) ||
			ordered(a.currency, b.currency),
	);
}

/** statementsOf are the statements of each currency, that with most lines first, with only the lines that have figures. */
export function statementsOf(summaries: readonly Summary[], lines: readonly Line[]): Statement[] {
	const shown = lines.filter((line) => line.sides.some(Boolean));
	return currenciesOf(shown).map((currency) => ({
		currency,
		sections: accountTypes
			.map((type) => ({
				type,
				title: accountTypeTitle(type),
				lines: shown.filter((line) => line.type === type && line.currency === currency),
				subtotals: summaries.map((s) => s.subtotals.find((t) => t.gl_type === type && t.currency === currency)),
			}))
			.filter((section) => section.lines.length > 0),
		totals: summaries.map((s) => s.totals.find((t) => t.currency === currency)),
	}));
}

/** ofType are the statements with the accounts of one type alone, and without a net result, which is of all. */
export function ofType(statements: readonly Statement[], type: AccountType): Statement[] {
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

/** monthsOf returns a line period by period. A period after the last booked one has a budget and no variance. */
export function monthsOf(item: TrendItem | undefined, lastBooked: number): (Side | undefined)[] {
	return Array.from({ length: 12 }, (_, i) => {
		const budget = item?.budget[i] ?? null;
		const actual = item?.actual[i] ?? null;
		const variance = item?.variance_abs[i] ?? null;
		if (variance === null) return undefined;
		if (i >= lastBooked) return { budget, actual, variance_abs: null };
		return { budget, actual, variance_abs: variance, status: item?.status[i] ?? "" };
	});
}

function ordered(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
