import { expect, test, vi } from "vitest";

const asked = vi.hoisted(() => vi.fn());
vi.mock("../../api/client", () => ({ api: { GET: asked } }));

import { actualsOf, queryOf, type RecordScope } from "./records";

const scope: RecordScope = { account: 6, departments: [1, 2], currency: "EUR", year: 2026, period: 3, toDate: true };

test("records are read in one currency, for one period or for the year to date", () => {
	expect(queryOf({ ...scope, toDate: false }, 1)).toMatchObject({
		gl_account_id: 6,
		department_id: 1,
		fiscal_year: 2026,
		fiscal_period: 3,
		currency: "EUR",
	});
	expect(queryOf(scope, 1)).not.toHaveProperty("fiscal_period");
});

test("records of later periods are left out; the others are sorted by department and period, and add up", async () => {
	const actual = (id: number, department_id: number, fiscal_period: number, amount: string) => ({
		id,
		department_id,
		fiscal_period,
		amount,
	});
	const items = [actual(1, 1, 4, "100"), actual(2, 1, 3, "0.1"), actual(3, 2, 1, "0.2"), actual(4, 1, 2, "1")];
	asked.mockImplementation(async (_: string, { params }: { params: { query: { department_id: number } } }) => ({
		data: { items: items.filter((item) => item.department_id === params.query.department_id), next: null },
	}));
	const codes = new Map([
		[1, "SAL"],
		[2, "FIN"],
	]);
	const found = await actualsOf(scope, codes, new AbortController().signal);
	expect(found.rows.map(({ record, department }) => [department, record.id])).toEqual([
		["FIN", 3],
		["SAL", 4],
		["SAL", 2],
	]);
	expect([found.sum.toString(), found.complete]).toEqual(["1.3", true]);
});
