import { compoundKey } from "../../address/compoundKey";
import type { components } from "../../api/schema";
import { type AccountType, accountTypes, accountTypeTitle } from "../../budget/accountTypes";
import { percentOf } from "../../budget/percent";
import { type Amounts, type Measure, measureOf, type Unit } from "../../format/amounts";
import { isolated } from "../../format/bidi";
import { currenciesOf } from "../../format/currencies";
import { Decimal, type Exact } from "../../format/decimal";
import { resultsOf } from "./results";

export type Summary = components["schemas"]["VarianceSummary"];
export type Trend = components["schemas"]["VarianceTrend"];
export type TrendItem = Trend["items"][number];
export type Item = components["schemas"]["SummaryItem"];
type Subtotal = components["schemas"]["SummarySubtotal"];
type NetResult = components["schemas"]["NetResult"];

/** The figures of one version in a row; a missing figure is blank. */
export interface Side {
	budget: Exact | null;
	actual: Exact | null;
	variance_abs: Exact | null;
	variance_pct?: Exact;
	status?: string;
	unbudgeted?: boolean;
}

/** An account in one currency, with the figures of each version. */
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
	/** The result that stands below the section, if it follows from the sections so far. */
	result?: Result | undefined;
}

/** A result that the page computes from the subtotals above it. */
export interface Result {
	title: string;
	/** The result in percent of revenue. */
	margin: string;
	sides: (Side | undefined)[];
	/** Whether what follows is below the line. */
	last: boolean;
}

/** The statement of one currency. Currencies are never added to each other. */
export interface Statement {
	currency: string;
	sections: Section[];
	/** Empty if the statement shows only one type. */
	totals: (NetResult | undefined)[];
}

/** How each column of figures prints its amounts. */
export interface Columns {
	budget: Measure;
	actual: Measure;
	variance: Measure;
}

/** columnsOf returns how the rows of a table are printed, each column by itself. */
export function columnsOf(rows: readonly (readonly (Side | undefined)[])[], currency: string, unit: Unit): Columns {
	const sides = rows.flat();
	const column = (amount: (side: Side | undefined) => Exact | null | undefined) =>
		measureOf({ currency, amounts: sides.map(amount) }, unit);
	return {
		budget: column((side) => side?.budget),
		actual: column((side) => side?.actual),
		variance: column((side) => side?.variance_abs),
	};
}

/** rowsOf returns the figures of all rows of a statement. */
export function rowsOf({ sections, totals }: Statement): (Side | undefined)[][] {
	const ofSection = ({ lines, subtotals, result }: Section) => [
		...lines.map(({ sides }) => sides),
		subtotals,
		...(result ? [result.sides] : []),
	];
	return [...sections.flatMap(ofSection), totals];
}

/** amountsOf returns all amounts of a statement. */
export function amountsOf(statement: Statement): Amounts {
	const amounts = rowsOf(statement)
		.flat()
		.flatMap((side) => [side?.budget, side?.actual, side?.variance_abs]);
	return { currency: statement.currency, amounts };
}

/** keyOf returns the name of a line in the address: its account and its currency. */
export function keyOf(line: { gl_code?: string; currency: string }): string {
	return compoundKey([line.gl_code ?? "", line.currency]);
}

/** isNamed reports whether a name in the address, in any case, means the line: its key, or its account in any currency. */
export function isNamed(line: Line, name: string): boolean {
	return [line.key, compoundKey([line.code])].some((key) => key.toLowerCase() === name.toLowerCase());
}

/**
 * linesOf returns every account and currency of the year, with the figures of each summary by account. There is one
 * summary and one trend for each version.
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
				description: isolated(item.gl_description ?? ""),
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

/**
 * statementsOf returns a statement for each currency, the one with the most lines first. It leaves out lines without
 * figures.
 */
export function statementsOf(summaries: readonly Summary[], lines: readonly Line[]): Statement[] {
	const shown = lines.filter((line) => line.sides.some(Boolean));
	return currenciesOf(shown).map((currency) => ({
		currency,
		sections: resultsOf(
			accountTypes
				.map((type) => ({
					type,
					title: accountTypeTitle(type),
					lines: shown.filter((line) => line.type === type && line.currency === currency),
					subtotals: summaries.map((s) => s.subtotals.find((t) => t.gl_type === type && t.currency === currency)),
				}))
				.filter((section) => section.lines.length > 0),
		),
		totals: summaries.map((s) => s.totals.find((t) => t.currency === currency)),
	}));
}

/** ofType returns the statements with the accounts of one type, and without the net result of all. */
export function ofType(statements: readonly Statement[], type: AccountType): Statement[] {
	return statements
		.map((statement) => ({
			...statement,
			sections: statement.sections
				.filter((section) => section.type === type)
				.map((section) => ({ ...section, result: undefined })),
			totals: [],
		}))
		.filter((statement) => statement.sections.length > 0);
}

/** sumOf adds up the figures of rows in each version. A missing side counts as zero, unless it is missing in all rows. */
export function sumOf(rows: readonly { sides: readonly (Side | undefined)[] }[]): (Side | undefined)[] {
	return (rows[0]?.sides ?? []).map((_, version) => {
		const sides = rows.flatMap((row) => row.sides[version] ?? []);
		const sum = (of: "budget" | "actual" | "variance_abs") => {
			const amounts = sides.flatMap((side) => side[of] ?? []);
			return amounts.length > 0 ? Decimal.sum(amounts.map((each) => Decimal.of(each))).toString() : null;
		};
		if (sides.length === 0) return undefined;
		const [budget, variance] = [sum("budget"), sum("variance_abs")];
		const share = percentOf(Decimal.of(variance ?? 0), Decimal.of(budget ?? 0));
		return { budget, actual: sum("actual"), variance_abs: variance, variance_pct: share };
	});
}

/** amounts returns the variances of a row. */
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
