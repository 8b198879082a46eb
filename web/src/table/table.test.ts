import { expect, test } from "vitest";
import { random } from "../../random";
import { type Column, next, print, printNote, RowLayout, sorted, type Value } from "./table";

interface Row {
	id: number;
	name: string | null;
	amount: string | number | null;
}

const columns: Column<Row>[] = [
	{ id: "name", title: "Name", value: (row) => row.name },
	{ id: "amount", title: "Amount", value: (row) => row.amount, kind: "figure" },
];

const rows: Row[] = [
	{ id: 1, name: "Line 10", amount: "99999999999999.9998" },
	{ id: 2, name: null, amount: "-5" },
	{ id: 3, name: "line 9", amount: null },
	{ id: 4, name: "Ärger", amount: "99999999999999.9999" },
	{ id: 5, name: "Line 10", amount: 3 },
];

function ids(sort: string): number[] {
	return sorted(rows, columns, sort).map((row) => row.id);
}

test("amounts are sorted by all digits, missing ones last", () => {
	expect(ids("amount")).toEqual([2, 5, 1, 4, 3]);
	expect(ids("-amount")).toEqual([4, 1, 5, 2, 3]);
});

test("texts are sorted as readers expect, equal ones in their old order", () => {
	expect(ids("name")).toEqual([4, 3, 1, 5, 2]);
	expect(ids("-name")).toEqual([1, 5, 3, 4, 2]);
});

test("an unknown column keeps the order of the rows", () => {
	expect(ids("")).toEqual([1, 2, 3, 4, 5]);
	expect(ids("-other")).toEqual([1, 2, 3, 4, 5]);
});

test("a head sorts ascending, descending, and back", () => {
	expect([next("", "a", true), next("a", "a", true), next("-a", "a", true)]).toEqual(["a", "-a", ""]);
	expect(next("-a", "a", false)).toBe("a");
	expect(next("-b", "a", true)).toBe("a");
});

test("a cell prints by the kind of its column", () => {
	const said = (kind: Column<Row>["kind"], value: Value, title = "X", places = 0) =>
		print({ id: "x", title, value: () => null, kind }, value, { unit: "exact", places });
	expect(said("whole", 0)).toBe("–");
	expect(said("figure", "-2.5")).toBe("(3)");
	expect(said("price", "1.08345", "X", 6)).toMatch(/^1[.,]083450$/);
	expect(
		[said("percent", "-4.56"), said("percent", "-4.56", "%")].map((text) => text.replace(/[^\d()%]/g, "")),
	).toEqual(["(46%)", "(46)"]);
	expect(said("text", "<b>1.10</b>")).toBe("<b>1.10</b>");
	expect([said(undefined, true), said(undefined, false)]).toEqual(["yes", "no"]);
	expect([said("figure", null), said("date", undefined)]).toEqual(["", ""]);
});

test("a layout finds the row at every height, with opened details", () => {
	const draw = random(8);
	for (let round = 0; round < 50; round++) {
		const details = Array.from({ length: draw.below(4) }, (_, i) => ({ index: i * 7, height: 10 + draw.below(300) }));
		const stack = new RowLayout(40, 28, details);
		for (let index = 0; index < 40; index++) {
			expect(stack.at(stack.top(index))).toBe(index);
			expect(stack.at(stack.top(index + 1) - 1)).toBe(index);
		}
		expect(stack.height).toBe(40 * 28 + details.reduce((sum, detail) => sum + detail.height, 0));
	}
});

test.each([[1000], [1_000_000], [5_000_000]])("of %d rows a view shows few, and reaches the last", (count) => {
	const stack = new RowLayout(count, 32);
	const view = 640;
	for (const share of [0, 0.1, 0.5, 0.9, 1]) {
		const scroll = Math.floor((stack.scrolled - view) * share);
		const { first, end, above, below } = stack.seen(scroll, view, 8);
		expect(end - first).toBeLessThanOrEqual(640 / 32 + 1 + 16 + 1);
		expect(above).toBeGreaterThanOrEqual(0);
		expect(above).toBeLessThanOrEqual(scroll);
		expect(above + (end - first) * 32).toBeGreaterThanOrEqual(Math.min(scroll + view, stack.scrolled) - 1);
		expect(above + (end - first) * 32 + below).toBeLessThanOrEqual(stack.scrolled + 18 * 32);
	}
	expect(stack.seen(0, view, 8).first).toBe(0);
	expect(stack.seen(stack.scrolled - view, view, 8).end).toBe(count);
});

test("an empty layout shows nothing", () => {
	expect(new RowLayout(0, 32).seen(0, 600, 8)).toEqual({ first: 0, end: 0, above: 0, below: 0 });
});

test("revealing a row scrolls only as far as needed", () => {
	const stack = new RowLayout(1000, 30);
	expect(stack.reveal(5, 0, 300)).toBe(0);
	expect(stack.reveal(10, 0, 300)).toBe(30);
	expect(stack.reveal(2, 300, 300)).toBe(60);
	expect(stack.reveal(999, 0, 300)).toBe(1000 * 30 - 300);
});

test("a print says which rows are left out", () => {
	expect(printNote(1000, true)).toBe("");
	expect(printNote(12_345, true)).toMatch(/^1.000 of 12.345 rows\. Filter the list/);
	expect(printNote(500, false)).toMatch(/^500 of more than 500 rows/);
});
