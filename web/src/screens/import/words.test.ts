import { expect, test } from "vitest";
import { actsOf, type Batch, countsOf, hasRest, nameOf, wayOf } from "./batch";
import { grouped, linesOf, mendable, reasonOf, remedyOf } from "./findings";
import { type Kind, kindOf, kinds, titleOf } from "./kinds";
import { doubtsOf, type Finding, type Preview, stored, wrongOf } from "./preview";
import { messageOf, titleOf as questionOf, readingsOf, saidOf } from "./questions";
import { addedOf, cellOf, columnsOf, skippedBy } from "./records";

const cell = (line: number, value: string) => ({ line, column: "Amount", value });
const mark = {
	code: "decimal_mark",
	message: "",
	proposed: ",",
	cells: [cell(2, "1.234")],
	choices: [
		{ value: ".", fits: true, cells: [cell(2, "1.234"), cell(3, "2.5"), cell(4, "3"), cell(5, "4")] },
		{ value: ",", cells: [cell(2, "1234")] },
	],
} as const;

test("a question shows both readings of its first cell, and where else it counts", () => {
	const question = structuredClone(mark) as unknown as Parameters<typeof readingsOf>[0];
	expect(questionOf(question)).toBe("What is the mark in “1.234”?");
	expect(readingsOf(question)).toEqual([
		{
			value: ".",
			title: "1.234",
			means: "a point is the decimal mark of the file",
			cells: "Line 2, Amount · line 3: 2.5 · line 4: 3 · and 1 more",
			proposed: false,
			fits: true,
		},
		{
			value: ",",
			title: "1,234",
			means: "a comma is the decimal mark of the file",
			cells: "Line 2, Amount",
			proposed: true,
			fits: false,
		},
	]);
	expect(saidOf("year_starts", "7")).toBe("July");
	expect(saidOf("scale", "1000")).toBe("In thousands");
});

test("a question about the header is answered with a row", () => {
	const question = {
		code: "header_row",
		message: "No row of the file has names that are known. Say which line is the header. Answer 0 if there is none.",
		cells: [],
		choices: [
			{ value: "3", cells: [cell(3, "Dept"), cell(3, "Amount")] },
			{ value: "0", cells: [] },
		],
	} as unknown as Parameters<typeof readingsOf>[0];
	expect(messageOf(question)).toBe("No row of the file has names that are known.");
	expect(readingsOf(question).map(({ title, means }) => [title, means])).toEqual([
		["Dept · Amount", "Line 3"],
		["None of them: the file has no names of columns", ""],
	]);
});

const finding = (line: number, value: string, more: Partial<Finding> = {}) =>
	({
		line,
		value,
		column: "Account",
		field: "gl_code",
		severity: "wrong",
		code: "unknown_reference",
		message: `None of the accounts has the code ${value}. Add it first, or say in the map what it stands for.`,
		...more,
	}) as Finding;

test("findings that say the same of one value are one row, which the reader can mend", () => {
	const groups = grouped(
		[
			...[2, 4, 6, 8, 10].map((line) => finding(line, "9999")),
			finding(3, "x"),
			finding(3, "1", { severity: "doubtful" }),
		],
		"wrong",
	);
	expect(groups.map(linesOf)).toEqual(["2, 4, 6 and 2 more", "3"]);
	expect(groups.every(mendable)).toBe(true);
	expect(groups.map((group) => reasonOf(group, "Account"))[0]).toBe("None of the accounts has the code 9999.");
	const hint = ' There is "0410": the file may have lost the zeros.';
	const [lost] = grouped([finding(2, "410", { message: `${finding(2, "410").message}${hint}` })], "wrong");
	expect(lost && reasonOf(lost, "Account")).toBe(`None of the accounts has the code 410.${hint}`);
});

test("rows with one key are added up, or the last of them counts", () => {
	const summed = { kind: "actuals", duplicates: "sum" } as const;
	expect(skippedBy("same_key", 2, summed)).toBe("rows that are added to the same key");
	expect(skippedBy("same_key", 1, { ...summed, duplicates: "last" })).toBe(
		"row that a later one of the same key replaces",
	);
	const preview = { map: summed, skipped: { same_key: 3, blank: 1 } } as unknown as Preview;
	expect([addedOf(preview), addedOf({ ...preview, map: { kind: "actuals" } })]).toEqual([3, 0]);
});

test("a rule of the map settles all findings of a kind", () => {
	const other = { code: "other_mark", field: "amount", value: "27,9", message: "The field amount has 27,9." };
	const [group] = grouped([finding(2, "27,9", other as Partial<Finding>)], "wrong");
	if (!group) throw new Error("there is no group");
	expect(remedyOf(group)).toMatchObject({ rule: "other_mark", value: "decimal" });
	expect(reasonOf(group, "Amount")).toBe("Amount has 27,9.");
	expect(remedyOf({ ...group, code: "missing" })).toBeUndefined();
});

test("the number on a button is of records, and that of wrong rows of lines", () => {
	const counts = { new: 10, changed: 2, cleared: 1, unchanged: 5, already: 0, skipped: 4, wrong: 24, doubtful: 3 };
	const findings = [finding(2, "x"), finding(2, "y"), finding(9, "x"), finding(4, "5", { severity: "doubtful" })];
	const budgets = kindOf("budgets") as Kind;
	const preview = { counts, findings, findings_total: 4, doubts: 1, map: { form: "wide" } } as unknown as Preview;
	expect(stored(preview)).toBe(13);
	expect(wrongOf(preview, budgets)).toEqual({ count: 2, noun: "rows" });
	expect(wrongOf({ ...preview, findings_total: 400 }, budgets)).toEqual({ count: 24, noun: "lines" });
	expect(doubtsOf(preview, budgets)).toEqual({ count: 1, noun: "row" });
	expect(doubtsOf({ ...preview, findings_total: 400 }, budgets)).toEqual({ count: 1, noun: "line" });
	const long = { ...preview, map: { kind: "budgets", form: "long" } } as Preview;
	expect(wrongOf({ ...long, findings_total: 400 }, budgets)).toEqual({ count: 24, noun: "rows" });
	expect(doubtsOf(long, budgets)).toEqual({ count: 1, noun: "row" });
});

test("a changed record shows what it was, and a removed one what it is", () => {
	const actuals = kindOf("actuals");
	if (!actuals) throw new Error("there is no kind");
	const before = {
		department: "ENG",
		gl_code: "6000",
		fiscal_year: 2026,
		fiscal_period: 1,
		amount: "1000.50",
		source: "",
	};
	const row = { before, after: { ...before, amount: "-2" } };
	const columns = columnsOf(actuals, [row] as unknown as Parameters<typeof columnsOf>[1]);
	expect(columns.map(({ title }) => title)).toEqual(["Department", "Account", "Period", "Amount"]);
	const cells = columns.map((column) => cellOf(row as unknown as Parameters<typeof cellOf>[0], column));
	expect(cells.map(({ now, old }) => [now, old])).toEqual([
		["ENG", undefined],
		["6000", undefined],
		["P01 2026", undefined],
		["(2)", "1,000.50"],
	]);
	const removed = { before, after: null } as unknown as Parameters<typeof cellOf>[0];
	expect(columns.map((column) => cellOf(removed, column).now)[3]).toBe("1,000.50");
});

test("each kind says its fields once", () => {
	for (const { fields } of kinds) expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
	const budgets = kindOf("budgets");
	expect(budgets && titleOf(budgets, "period", 3)).toBe("Amount of P03");
	expect(kindOf("nothing")).toBeUndefined();
});

test("a batch is undone, or done again by the undo of its undo", () => {
	const batch = { id: 17, via: "import", state: "committed", file: "Q4.csv", undoes: null, undone_by: null } as Batch;
	expect(actsOf(batch).map(({ id, title }) => [id, title])).toEqual([[17, "Undo"]]);
	expect(actsOf({ ...batch, state: "undone", undone_by: 18 }).map(({ id, title }) => [id, title])).toEqual([
		[18, "Redo"],
	]);
	expect(actsOf({ ...batch, state: "partial", undone_by: 18 })).toHaveLength(2);
	const undo = { ...batch, via: "undo", file: "", undoes: 17, counts: { new: 0, cleared: 252, skipped: 1 } } as Batch;
	expect([actsOf(undo), nameOf(undo), countsOf(undo)]).toEqual([
		[],
		"Undo of batch 17",
		"252 removed, 1 left as they are",
	]);
	expect(nameOf(batch)).toBe("Q4.csv");
	const some = { ...batch, counts: { new: 48, skipped: 3, wrong: 10, doubtful: 2 } } as Batch;
	expect(countsOf(some)).toBe("48 new, 3 skipped, 12 left out");
	const message = "7 (the account 4000) was changed later, in entry 31 by anna";
	const detail = { field: "gl_accounts", entity_id: 7, record: "the account 4000", message };
	expect(wayOf(detail)).toBe("The account 4000 was changed later, in entry 31 by anna");
	expect([hasRest(some, 47), hasRest(some, 48), hasRest({ ...some, state: "partial" }, 48)]).toEqual([
		true,
		false,
		true,
	]);
});
