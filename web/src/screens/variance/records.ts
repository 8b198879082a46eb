import { api } from "../../api/client";
import type { After, Page } from "../../api/pages.svelte";
import type { components, paths } from "../../api/schema";
import { Decimal } from "../../format/decimal";

type BudgetLine = components["schemas"]["BudgetLine"];
type Actual = components["schemas"]["Actual"];
type Query = NonNullable<paths["/api/v1/budgets"]["get"]["parameters"]["query"]>;

/** Selects the records of a line. */
export interface RecordScope {
	account: number;
	/** The departments by id. The server finds the records of one department by index; without one it reads all. */
	departments: readonly number[];
	currency: string;
	year: number;
	period: number;
	/** Whether to include the earlier periods of the year. */
	toDate: boolean;
}

/** A record of a figure, with the code of its department. */
export interface DepartmentRecord<R> {
	record: R;
	department: string;
}

/** The records that were read; `complete` is false if there are more. */
export interface RecordList<R> {
	rows: DepartmentRecord<R>[];
	complete: boolean;
	sum: Decimal;
}

const page = 1000;
const pages = 5;

/** queryOf returns the query for the records of one department. */
export function queryOf({ account, currency, year, period, toDate }: RecordScope, department: number): Query {
	return {
		gl_account_id: account,
		department_id: department,
		fiscal_year: year,
		...(toDate ? {} : { fiscal_period: period }),
		currency,
		limit: page,
	} as Query;
}

/** actualsOf returns the actuals of a line, by department, period and id. */
export function actualsOf(
	scope: RecordScope,
	codes: Map<number, string>,
	signal: AbortSignal,
): Promise<RecordList<Actual>> {
	return read(scope, codes, async (department, after) => {
		const query = { ...queryOf(scope, department), after } as Query;
		return (await api.GET("/api/v1/actuals", { params: { query }, signal })).data;
	});
}

/** budgetLinesOf returns the budget lines of a line in one version, by department, period and id. */
export function budgetLinesOf(
	scope: RecordScope,
	version: string,
	codes: Map<number, string>,
	signal: AbortSignal,
): Promise<RecordList<BudgetLine>> {
	return read(scope, codes, async (department, after) => {
		const query = { ...queryOf(scope, department), version, after } as Query;
		return (await api.GET("/api/v1/budgets", { params: { query }, signal })).data;
	});
}

type Posted = Pick<Actual, "id" | "department_id" | "fiscal_period" | "amount">;

async function read<R extends Posted>(
	scope: RecordScope,
	codes: Map<number, string>,
	ask: (department: number, after: After) => Promise<Page<R, After>>,
): Promise<RecordList<R>> {
	const rows: DepartmentRecord<R>[] = [];
	let complete = true;
	const readOf = async (department: number) => {
		let next: After | null = 0;
		for (let i = 0; i < pages && next !== null; i++) {
			const answer: Page<R, After> = await ask(department, next);
			for (const record of answer.items) {
				if (record.fiscal_period > scope.period) continue;
				rows.push({ record, department: codes.get(record.department_id) ?? String(record.department_id) });
			}
			next = answer.next;
		}
		if (next !== null) complete = false;
	};
	await Promise.all(scope.departments.map(readOf));
	rows.sort(
		(a, b) =>
			(a.department < b.department ? -1 : a.department > b.department ? 1 : 0) ||
			a.record.fiscal_period - b.record.fiscal_period ||
			a.record.id - b.record.id,
	);
	return { rows, complete, sum: Decimal.sum(rows.map(({ record }) => Decimal.of(record.amount))) };
}
