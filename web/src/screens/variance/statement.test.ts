import { expect, test } from "vitest";
import { compoundKey } from "../../address/compoundKey";
import { isNamed, linesOf, monthsOf, ofType, type Summary, statementsOf, type Trend } from "./statement";

const item = (gl_code: string, gl_type: string, currency: string, more: object = {}) => ({
	gl_code,
	gl_description: `Account ${gl_code}`,
	gl_type,
	favour_high: gl_type === "revenue",
	contra: false,
	currency,
	budget: 100,
	actual: 90,
	variance_abs: -10,
	variance_pct: -10,
	status: "unfavourable",
	unbudgeted: false,
	...more,
});

const summary = (version: string, items: object[], more: object = {}) =>
	({ version, items, subtotals: [], totals: [], ...more }) as unknown as Summary;

const year = (value: (period: number) => number | null) => Array.from({ length: 12 }, (_, i) => value(i + 1));

const trend = (items: object[]) => ({ items }) as unknown as Trend;

test("lines of two versions are in the order of a statement, each with the figures of both", () => {
	const original = summary("original", [item("6100", "opex", "USD"), item("7000", "capex", "USD")]);
	const forecast = summary("forecast1", [
		item("4000", "revenue", "USD"),
		item("6000", "opex", "USD"),
		item("6100", "opex", "USD", { budget: 95 }),
		item("6100", "opex", "EUR"),
	]);
	const lines = linesOf([original, forecast], []);
	expect(lines.map((line) => line.key)).toEqual(["4000 USD", "6000 USD", "6100 EUR", "6100 USD", "7000 USD"]);
	const travel = lines[3];
	expect(travel?.sides.map((side) => side?.budget)).toEqual([100, 95]);
	expect(lines[4]?.sides.map(Boolean)).toEqual([true, false]);
});

test("a line without figures in the period is not in the statement, and can be opened", () => {
	const lines = linesOf(
		[summary("original", [item("4000", "revenue", "USD")])],
		[trend([{ ...item("6100", "opex", "USD"), budget: year(() => 5), actual: year(() => null) }])],
	);
	expect(lines.map((line) => line.key)).toEqual(["4000 USD", "6100 USD"]);
	const [statement] = statementsOf([summary("original", [item("4000", "revenue", "USD")])], lines);
	expect(statement?.sections.map((section) => section.type)).toEqual(["revenue"]);
	expect(lines.filter((line) => isNamed(line, "6100"))).toHaveLength(1);
	expect(lines.filter((line) => isNamed(line, "6100 usd"))).toHaveLength(1);
	expect(lines.filter((line) => isNamed(line, "6100 EUR"))).toHaveLength(0);
});

test("accounts and currencies with the same joined text are two lines with two names", () => {
	const lines = linesOf([summary("original", [item("A B", "opex", "EUR"), item("A", "opex", "B EUR")])], []);
	expect(lines.map((line) => [line.code, line.currency])).toEqual([
		["A", "B EUR"],
		["A B", "EUR"],
	]);
	for (const line of lines) expect(lines.filter((each) => isNamed(each, line.key))).toEqual([line]);
	// An account whose code contains a currency is not confused with another account in that currency.
	const [spaced, plain] = linesOf(
		[summary("original", [item("A EUR", "opex", "USD"), item("A", "opex", "EUR")])],
		[],
	).toSorted((a, b) => b.code.length - a.code.length);
	expect([spaced && isNamed(spaced, "A EUR"), plain && isNamed(plain, "A EUR")]).toEqual([false, true]);
	expect([spaced && isNamed(spaced, compoundKey(["A EUR"])), plain && isNamed(plain, compoundKey(["A EUR"]))]).toEqual([
		true,
		false,
	]);
});

test("each currency has its own subtotals and net result", () => {
	const report = summary("original", [item("4000", "revenue", "EUR"), item("4000", "revenue", "USD")], {
		subtotals: [
			{ gl_type: "revenue", currency: "EUR", budget: 1 },
			{ gl_type: "revenue", currency: "USD", budget: 2 },
		],
		totals: [
			{ currency: "EUR", budget: 3 },
			{ currency: "USD", budget: 4 },
		],
	});
	const statements = statementsOf([report], linesOf([report], []));
	expect(statements.map((s) => s.currency)).toEqual(["EUR", "USD"]);
	expect(statements.map((s) => s.sections[0]?.subtotals[0]?.budget)).toEqual([1, 2]);
	expect(statements.map((s) => s.totals[0]?.budget)).toEqual([3, 4]);
});

test("the currency with the most lines comes first", () => {
	const report = summary("original", [
		item("4000", "revenue", "EUR"),
		item("4000", "revenue", "USD"),
		item("6000", "opex", "USD"),
	]);
	expect(statementsOf([report], linesOf([report], [])).map((s) => s.currency)).toEqual(["USD", "EUR"]);
});

test("a statement of one type has its lines and its subtotal, and no net result", () => {
	const report = summary(
		"original",
		[item("4000", "revenue", "EUR"), item("6000", "opex", "USD"), item("6100", "opex", "USD")],
		{ totals: [{ currency: "USD", budget: 3 }] },
	);
	const statements = ofType(statementsOf([report], linesOf([report], [])), "opex");
	expect(statements.map((s) => s.currency)).toEqual(["USD"]);
	expect(statements[0]?.sections.map((section) => section.lines.map((line) => line.code))).toEqual([["6000", "6100"]]);
	expect(statements[0]?.totals).toEqual([]);
});

test("the server decides which accounts are contra accounts", () => {
	const lines = linesOf(
		[summary("original", [item("4900", "revenue", "USD", { contra: true }), item("6100", "opex", "USD")])],
		[],
	);
	expect(lines.map((line) => [line.code, line.contra])).toEqual([
		["4900", true],
		["6100", false],
	]);
});

test("a period after the last booked one has a budget but no variance; a gap before it has one", () => {
	const line = {
		budget: year(() => 10),
		actual: year((p) => (p <= 3 ? 8 : null)),
		variance_abs: year((p) => (p <= 3 ? 2 : 10)),
		status: Array(12).fill("favourable"),
	} as unknown as Trend["items"][number];
	const months = monthsOf(line, 5);
	expect(months[2]).toEqual({ budget: 10, actual: 8, variance_abs: 2, status: "favourable" });
	expect(months[4]).toEqual({ budget: 10, actual: null, variance_abs: 10, status: "favourable" });
	expect(months[5]).toEqual({ budget: 10, actual: null, variance_abs: null });
	expect(monthsOf(undefined, 12)).toEqual(Array(12).fill(undefined));
});
