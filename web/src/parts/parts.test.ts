import { render } from "svelte/server";
import { describe, expect, test } from "vitest";
import { Decimal } from "../lib/decimal";
import { base, scale, stretch } from "./bars";
import { amount, places } from "./chart";
import Figure from "./Figure.svelte";
import { heats, stretches } from "./heat";
import Outcome from "./Outcome.svelte";
import Percent from "./Percent.svelte";
import Problem from "./Problem.svelte";
import { trouble, Undrawn } from "./problem";
import { extent, lines } from "./sparkline";
import Waterfall from "./Waterfall.svelte";

describe("Figure", () => {
	test("has the exact value for a hover and a copy", () => {
		const { body } = render(Figure, { props: { value: "99999999999999.9999", currency: "EUR" } });
		expect(body).toContain('data-raw="99999999999999.9999"');
		expect(body).toContain('title="99999999999999.9999"');
		expect(body).toContain("EUR");
	});

	test("is nothing where there is nothing, not even a link", () => {
		const { body } = render(Figure, { props: { value: null, href: "#/actuals", currency: "EUR" } });
		expect(body).not.toMatch(/<a|<span|EUR/);
	});

	test("is a link where it leads somewhere", () => {
		expect(render(Figure, { props: { value: 0, href: "#/actuals" } }).body).toMatch(/<a [^>]*href="#\/actuals"/);
	});
});

test("an outcome is a word and a sign, not a colour alone", () => {
	const good = render(Outcome, { props: { status: "favourable", variance: "12.5", amount: true } }).body;
	const bad = render(Outcome, { props: { status: "unfavourable", variance: "-12.5", amount: true } }).body;
	expect(good).toMatch(/\+12[.,]50/);
	expect(good).toContain("favourable");
	expect(bad).toMatch(/−12[.,]50/);
	expect(bad).toContain("unfavourable");
});

test("what is exactly on budget is neither favourable nor unfavourable", () => {
	const { body } = render(Outcome, { props: { status: "favourable", variance: "0.00" } });
	expect(body).toContain("on budget");
	expect(body).not.toMatch(/favourable|good|\+/);
});

test("a percentage is a dash only where there is nothing of it", () => {
	const percent = (of: string) => render(Percent, { props: { value: "0.00", of } }).body;
	expect(percent("0.01")).toMatch(/0[.,]00/);
	expect(percent("0")).toContain("–");
});

test("what was not budgeted has no percent", () => {
	const { body } = render(Percent, { props: { value: "100", unbudgeted: true } });
	expect(body).toContain("unbudgeted");
	expect(body).not.toContain("100");
});

test("a waterfall that does not reconcile says so", () => {
	const props = { from: { label: "Budget", amount: 100 }, steps: [{ label: "Sales", amount: -10 }], label: "Drivers" };
	const right = render(Waterfall, { props: { ...props, to: { label: "Actual", amount: 90 } } }).body;
	const wrong = render(Waterfall, { props: { ...props, to: { label: "Actual", amount: 91 } } }).body;
	expect(right).not.toContain("no step");
	expect(wrong).toContain("no step");
	expect(wrong).toContain('data-raw="90"');
});

test("a part that could not be drawn is named, with what to do about it", () => {
	const { body } = render(Problem, { props: { error: new Undrawn("The table"), retry: () => {} } });
	for (const said of [
		"The table could not be drawn.",
		"nothing that is stored was changed",
		"reload the page",
		"Try again",
	])
		expect(body).toContain(said);
});

describe("Problem", () => {
	test("tells what, where and how to mend", () => {
		const refused = Object.assign(new Error("1 field is at fault"), {
			status: 400,
			code: "validation_failed",
			details: [{ field: "period", message: "must be 1 to 12, got 13" }],
		});
		const { body } = render(Problem, { props: { error: refused, retry: () => {} } });
		for (const said of ["1 field is at fault", "period", "must be 1 to 12, got 13", "Try again", 'role="alert"']) {
			expect(body).toContain(said);
		}
	});

	test("runs no text", () => {
		const { body } = render(Problem, { props: { error: new Error("<script>alert(1)</script>") } });
		expect(body).not.toContain("<script>");
	});

	test("knows a server that does not answer from a defect of the page", () => {
		expect(trouble(new TypeError("Failed to fetch")).what).toBe("The server does not answer.");
		expect(trouble(new TypeError("x is undefined")).what).toBe("x is undefined");
		expect(trouble("torn").what).toBe("torn");
	});
});

test("bars lie within their scale, from zero", () => {
	const amounts = ["-50", "150", "0"].map(Decimal.of);
	const span = scale(amounts);
	expect(base(span)).toBe(25);
	expect(amounts.map((each) => stretch(Decimal.zero, each, span))).toEqual([
		{ start: 0, length: 25 },
		{ start: 25, length: 75 },
		{ start: 25, length: 0.25 },
	]);
	expect(stretch(Decimal.zero, Decimal.zero, scale([]))).toEqual({ start: 0, length: 0.25 });
});

test("a sparkline breaks where nothing is known", () => {
	const values = [1, null, "3", 5];
	const span = extent(values);
	expect(span).toEqual({ low: 1, high: 5 });
	expect(lines(values, span, { width: 34, height: 24 })).toEqual([
		[{ x: 2, y: 22 }],
		[
			{ x: 22, y: 12 },
			{ x: 32, y: 2 },
		],
	]);
	expect(lines([null, null], extent([null]), { width: 34, height: 24 })).toEqual([]);
	expect(lines([7], extent([7]), { width: 34, height: 24 })).toEqual([[{ x: 2, y: 12 }]]);
});

test("heat keeps its sign and is strongest at the largest", () => {
	const heat = heats(["-400", 100, null]);
	expect([heat("-400"), heat(100), heat(null), heat(0)]).toEqual([-1, 0.5, 0, 0]);
	expect(heats([null])(null)).toBe(0);
});

test("a chart's table tells amounts from names", () => {
	expect(["12.50", "-3", 7, "P06", "1e3", "", null].map(amount)).toEqual([
		"12.50",
		"-3",
		7,
		undefined,
		undefined,
		undefined,
		undefined,
	]);
	const grid = {
		head: ["Month", "Actual", "Count"],
		rows: [
			["P01", "1.2345", 3],
			["P02", null, 4],
		],
	};
	expect([places(grid, 1), places(grid, 2)]).toEqual([2, 0]);
});

test("a heat map is parted into stretches that have every column once, and fit on a sheet", () => {
	expect(stretches(3, 7)).toEqual([{ from: 0, to: 3 }]);
	expect(stretches(0, 7)).toEqual([]);
	const parts = stretches(60, 9);
	expect(parts.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i))).toEqual(
		Array.from({ length: 60 }, (_, i) => i),
	);
	expect(parts.length).toBeGreaterThan(5);
	expect(stretches(2, 500)).toEqual([
		{ from: 0, to: 1 },
		{ from: 1, to: 2 },
	]);
});
