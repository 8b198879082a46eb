import { expect, test } from "vitest";
import { counted, countOf, type Finding, grouped, kindOf } from "./quality";

const quality = (...items: Finding[]) => ({ items, limit: 200 });
const finding = (kind: string, severity: string, subject: object = {}) =>
	({ kind, severity, count: 1, title: "", detail: "", subject }) as Finding;

test("kinds keep the order in which the server lists their first finding", () => {
	const groups = grouped(
		quality(
			finding("unbudgeted_actual", "high"),
			finding("ambiguous_name", "medium"),
			finding("unbudgeted_actual", "medium"),
		),
	);
	expect(groups.map(({ kind, severity, findings }) => [kind, severity, findings.length])).toEqual([
		["unbudgeted_actual", "high", 2],
		["ambiguous_name", "medium", 1],
	]);
});

test("findings are counted by severity", () => {
	expect(counted(quality(finding("b", "high"), finding("a", "low"), finding("c", "low")))).toEqual([
		{ severity: "high", count: "1" },
		{ severity: "low", count: "2" },
	]);
});

test("a count says that there may be more only if a kind is listed up to the limit", () => {
	const of = (n: number, kind: string, severity: string) => Array.from({ length: n }, () => finding(kind, severity));
	const items = [...of(2, "a", "high"), ...of(200, "b", "medium"), ...of(199, "c", "low")];
	expect(countOf(items, quality(...items))).toBe("401 or more");
	expect(counted(quality(...items))).toEqual([
		{ severity: "high", count: "2" },
		{ severity: "medium", count: "200 or more" },
		{ severity: "low", count: "199" },
	]);
	const few = items.slice(1);
	expect(countOf(few.slice(0, 200), quality(...few))).toBe("200 or more");
	expect(countOf(few.slice(0, 1), quality(...few))).toBe("1");
	expect(countOf(few.slice(2), quality(...few.slice(2)))).toBe("398");
});

test("a finding links to where it can be seen or corrected", () => {
	const line = { department: "SAL", gl_code: "4000", currency: "USD", fiscal_year: 2026, fiscal_period: 3 };
	const key = { dept: "SAL", currency: "USD", year: "2026", period: "3" };
	const place = (f: Finding) => kindOf(f.kind).place(f);
	expect(place(finding("unbudgeted_actual", "low", line))).toEqual({
		screen: "actuals",
		parameters: { ...key, gl_code: "4000" },
	});
	const { fiscal_period: _, ...year } = line;
	expect(place(finding("unbudgeted_actual", "low", year))).toEqual({
		screen: "variance",
		parameters: { ...key, version: "", period: "", line: "4000" },
	});
	expect(place(finding("budget_without_actual", "low", line))).toEqual({
		screen: "variance",
		parameters: { ...key, version: "", line: "4000" },
	});
	expect(place(finding("ambiguous_name", "low", { company: "Acme" }))).toMatchObject({
		parameters: { view: "companies", sort: "name" },
	});
	expect(place(finding("ambiguous_name", "low", { department: "A" }))).toMatchObject({
		parameters: { view: "departments", sort: "name" },
	});
	expect(place(finding("favour_high_against_type", "low", { gl_code: "4000" }))).toEqual({
		screen: "reference",
		parameters: { view: "accounts", only: "4000" },
	});
});

test("a doubtful currency links to its records", () => {
	const place = (entity: string) =>
		kindOf("doubtful_currency").place(finding("doubtful_currency", "high", { currency: "EURO", entity }));
	const parameters = { currency: "EURO", dept: "", year: "", period: "" };
	expect(place("trades")).toEqual({ screen: "trades", parameters });
	expect(place("actuals")).toEqual({ screen: "actuals", parameters });
	expect(place("budget_lines")).toEqual({ path: "/api/v1/budgets?currency=EURO" });
});

test("an unknown kind gets a title from its id", () => {
	expect(kindOf("late_feed").title).toBe("Late feed");
});
