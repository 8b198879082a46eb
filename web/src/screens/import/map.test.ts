import { expect, test } from "vitest";
import { accepted, choiceOf, columnsFor, constant, given, ruled, ruleOf, translated } from "./map";
import type { Finding, ImportMap, Shown } from "./preview";

const map: ImportMap = {
	kind: "actuals",
	read: { delimiter: ";", header_row: 1 },
	columns: [
		{ field: "department", header: "Dept", position: 1 },
		{ field: "amount", header: "Amount", position: 3 },
	],
	set: { currency: "EUR" },
};
const column = (position: number, header: string, field?: string) =>
	({ position, header, samples: [], ...(field && { field }) }) as Shown;

test.each([
	["decimal_mark", ",", { numbers: { decimal: "," } }],
	["scale", "1000", { numbers: { scale: 1000 } }],
	["century", "1950", { dates: { century: 1950 } }],
	["date_order", "mdy", { dates: { order: "mdy" } }],
	["duplicates", "sum", { duplicates: "sum" }],
	["sign_rule", "by_type", { sign_rule: "by_type" }],
])("the answer %s %s is a field of the map", (code, value, want) => {
	const answered = ruled(map, code, value);
	expect(answered).toEqual({ ...map, ...want });
	expect(ruleOf(answered, code)).toBe(value);
	expect(ruleOf(ruled(answered, code, ""), code)).toBe("");
});

test("another delimiter makes another table, whose headers say again what its columns are", () => {
	expect(ruled(map, "delimiter", ",")).toMatchObject({ read: { delimiter: ",", header_row: 1 }, columns: [] });
	expect(ruled(map, "header_row", "0").read).toEqual({ delimiter: ";", header_row: 0 });
});

test("ids are matched, and no longer: then no column has them", () => {
	const matched = ruled(map, "match", "id");
	expect(matched).toEqual({ ...map, match: "id" });
	const columns = [{ field: "id", header: "id", position: 4 }, ...(map.columns ?? [])];
	expect(ruled({ ...matched, columns }, "match", "")).toEqual({ ...map, match: undefined });
});

test("a column gets a field, and no other column or constant keeps it", () => {
	const changed = given(map, column(2, "Total"), "amount");
	expect(changed.columns).toEqual([
		{ field: "department", header: "Dept", position: 1 },
		{ field: "amount", header: "Total", position: 2 },
	]);
	expect(given(map, column(4, ""), "currency")).toMatchObject({
		set: {},
		columns: [{ position: 1 }, { position: 3 }, { field: "currency", header: "", position: 4 }],
	});
	expect(given(map, column(3, "Amount"), "").columns).toHaveLength(1);
});

test("two columns may be two periods, and not the same one", () => {
	const one = given(map, column(4, "Jan"), "period 1");
	const two = given(one, column(5, "Feb"), "period 2");
	expect(two.columns?.slice(2)).toEqual([
		{ field: "period", header: "Jan", position: 4, period: 1 },
		{ field: "period", header: "Feb", position: 5, period: 2 },
	]);
	expect(choiceOf(two.columns?.[2] ?? {})).toBe("period 1");
	expect(given(two, column(6, "January"), "period 1").columns).toHaveLength(4);
});

test("a constant takes the place of a column, and goes away again", () => {
	const changed = constant(map, "amount", "5");
	expect(changed).toMatchObject({ columns: [{ field: "department" }], set: { currency: "EUR", amount: "5" } });
	expect(constant(changed, "amount", "").set).toEqual({ currency: "EUR" });
});

test("cells stand for a record, or skip their rows; doubts are taken for good, or no longer", () => {
	const cells = [
		{ field: "gl_code", value: "Rent" },
		{ field: "gl_code", value: "TRAN" },
	] as Finding[];
	const skipped = translated(map, [], cells, null);
	expect(translated(skipped, [], cells.slice(0, 1), "6000").values).toEqual({ gl_code: { Rent: "6000", TRAN: null } });
	const columns = [column(1, "Dept", "department"), column(2, ""), column(3, "Amount", "amount")];
	const total = { field: "label", column: "column 2", value: "Summe" } as Finding;
	const labelled = translated(map, columns, [total, { ...total, value: "Gesamt" }], null);
	expect(labelled.values).toEqual({ label: { Summe: null, Gesamt: null } });
	expect(labelled.columns?.map(({ field, position }) => `${position} ${field}`)).toEqual([
		"1 department",
		"2 label",
		"3 amount",
	]);
	const good = accepted(map, "other_mark", true);
	expect(accepted(good, "other_mark", true).accept).toEqual(["other_mark"]);
	expect(accepted(good, "other_mark", false).accept).toEqual([]);
});

test("a question of several columns offers these, and else those without a field", () => {
	const columns = [column(1, "Dept", "department"), column(2, "Amount"), column(3, "Amount"), column(4, "Text")];
	const question = { code: "column" as const, field: "amount", message: "", cells: [] };
	const several = {
		...question,
		choices: [
			{ value: "2", cells: [] },
			{ value: "3", cells: [] },
		],
	};
	expect(columnsFor(several, columns).map(({ position }) => position)).toEqual([2, 3]);
	expect(
		columnsFor({ ...question, choices: [{ value: "Text", cells: [] }] }, columns).map(({ position }) => position),
	).toEqual([2, 3, 4]);
});
