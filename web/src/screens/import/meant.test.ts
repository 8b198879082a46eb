import { expect, test } from "vitest";
import { isWhole } from "./figures";
import { grouped } from "./findings";
import { fieldsByName, type Known, meantBy } from "./meant";
import type { Finding, Preview } from "./preview";

const known: Known = {
	gl_code: [
		{ value: "0410", title: "Rent 0410", name: "Rent" },
		{ value: "4000", title: "Sales 4000", name: "Sales" },
		{ value: "5000", title: "Other 5000", name: "Other" },
		{ value: "6000", title: "Other 6000", name: "Other" },
	],
};
const finding = (line: number, value: string, more: Partial<Finding> = {}) =>
	({
		line,
		value,
		column: "Account",
		field: "gl_code",
		severity: "wrong",
		code: "unknown_reference",
		message: "",
		...more,
	}) as Finding;
const none = { new: 0, changed: 0, unchanged: 0, cleared: 0, already: 0, skipped: 0, wrong: 9, doubtful: 0 };
const fields = (findings: Finding[], counts = none) =>
	fieldsByName({ counts, findings } as unknown as Preview, grouped(findings, "wrong"), known);

test.each([
	["410", "0410"],
	[" sales ", "4000"],
	["0", undefined],
	["Other", undefined],
	["Salaries", undefined],
])("the cell %j can mean %s", (value, code) => {
	const [group] = grouped([finding(2, value)], "wrong");
	expect(group && meantBy(group, known)?.value).toBe(code);
});

test("a column has names where no row has a known code, and most of its values are names", () => {
	expect(fields([finding(2, "Rent"), finding(3, "SALES"), finding(4, "Slaes")])).toEqual(["gl_code"]);
	expect(fields([finding(2, "Rent"), finding(3, "Total", { code: "looks_like_total" })])).toEqual(["gl_code"]);
	expect(fields([finding(2, "Rent"), finding(3, "x"), finding(4, "y")])).toEqual([]);
	expect(fields([finding(2, "Rent"), finding(3, "x", { field: "amount", code: "not_a_number" })])).toEqual([]);
	expect(fields([finding(2, "Rent")], { ...none, new: 1 })).toEqual([]);
});

test.each([
	["1,234.50", true],
	["(1 000)", true],
	["EUR 12", true],
	["12 kr", true],
	["2027-01-31", true],
	["Marketing", true],
	["Rent 12", false],
	["Rechtsschutzversicherung", false],
	["", false],
])("the cell %j stays on one line: %s", (text, is) => {
	expect(isWhole(text)).toBe(is);
});
