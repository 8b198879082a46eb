import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "../src/api/json.ts";
import { Decimal } from "../src/format/decimal.ts";
import { Program } from "./program.ts";
import { open, Visitor } from "./visitor.ts";

let browser: Browser;
let program: Program;
beforeAll(async () => {
	[browser, program] = await Promise.all([open(), new Program().demo().start()]);
});
afterAll(async () => {
	await browser?.close();
	await program?.end();
});

/** answered returns the answer of the API with exact decimals. */
async function answered(path: string): Promise<unknown> {
	const answer = await fetch(program.origin + path);
	return parse(await answer.text());
}

/** amounts returns all values of the named fields in an answer, at any depth. */
function amounts(answer: unknown, names: readonly string[]): Set<string> {
	const found = new Set<string>();
	const walk = (value: unknown) => {
		if (Array.isArray(value)) value.forEach(walk);
		else if (value && typeof value === "object")
			for (const [name, inner] of Object.entries(value)) {
				if (names.includes(name) && inner !== null && !Array.isArray(inner)) found.add(plain(String(inner)));
				walk(inner);
			}
	};
	walk(answer);
	return found;
}

/** plain removes the sign of zero and trailing zeros from a decimal. */
function plain(decimal: string): string {
	const bare = decimal.includes(".") ? decimal.replace(/0+$/, "").replace(/\.$/, "") : decimal;
	return bare === "-0" ? "0" : bare;
}

/** shown returns the exact figures on a screen. */
async function shown(screen: string): Promise<Set<string>> {
	const visitor = await Visitor.of(browser, program.origin);
	await visitor.see(screen);
	const raws = await visitor.page
		.locator("main [data-raw]")
		.evaluateAll((all) => all.map((e) => e.getAttribute("data-raw") ?? ""));
	await visitor.end();
	return new Set(raws.filter((raw) => /^-?\d+(\.\d+)?$/.test(raw)).map(plain));
}

const month = "year=2026&period=3&version=original";

/** The parts of an answer that a screen shows, and the fields of their figures. */
interface Case {
	screen: string;
	path: string;
	of?: (answer: never) => unknown;
	names: string[];
}

const variance = ["budget", "actual", "variance_abs"];
const cases: Case[] = [
	{ screen: `variance?${month}`, path: `/api/v1/variance/summary?${month}&by=account`, names: variance },
	{
		screen: `variance?${month}&span=year_to_date`,
		path: `/api/v1/variance/summary?${month}&by=account&span=year_to_date`,
		names: variance,
	},
	{
		screen: "variance?year=2026&period=3&version=original&dept=SAL",
		path: "/api/v1/variance/summary?year=2026&period=3&version=original&dept=SAL&by=account",
		names: variance,
	},
	{
		screen: `alerts?${month}`,
		path: `/api/v1/variance/alerts?${month}&threshold=10`,
		of: (a: Lines) => a.lines,
		names: ["variance_abs"],
	},
	{
		screen: `alerts?${month}`,
		path: `/api/v1/variance/summary?${month}&by=line`,
		of: (a: Items) => a.items.filter((i) => Decimal.of(i.variance_pct).absolute().compare(Decimal.of(10)) > 0),
		names: variance,
	},
	{
		screen: "positions",
		path: "/api/v1/positions?limit=1000",
		of: (a: Positions) => a.items.filter((p) => p.side !== "flat"),
		names: ["shares", "average_price", "mark", "value", "unrealised", "realised"],
	},
	{
		screen: `overview?${month}`,
		path: `/api/v1/overview?${month}`,
		of: (a: Overview) => a.currencies.map((c) => [c.period, c.year_to_date]),
		names: variance,
	},
	{
		screen: `overview?${month}`,
		path: `/api/v1/overview?${month}`,
		of: (a: Overview) => a.currencies.map((c) => [c.worst, c.best]),
		names: ["variance_abs"],
	},
	{ screen: "trades", path: "/api/v1/trades?sort=-id&limit=15", names: ["shares", "price"] },
	{
		screen: "actuals?year=2026&period=3&dept=SAL",
		path: "/api/v1/actuals?fiscal_year=2026&fiscal_period=3&dept=SAL",
		names: ["amount"],
	},
];

type Lines = { lines: unknown };
type Items = { items: { variance_pct: string }[] };
type Positions = { items: { side: string }[] };
type Overview = { currencies: { period: unknown; year_to_date: unknown; worst: unknown; best: unknown }[] };

describe.each(cases)("$screen", ({ screen, path, of, names }) => {
	test("shows the figures of the interface, to the last digit", async () => {
		const [page, answer] = await Promise.all([shown(screen), answered(path)]);
		const said = amounts(of ? of(answer as never) : answer, names);
		expect(said.size).toBeGreaterThan(3);
		expect([...said].filter((figure) => !page.has(figure))).toEqual([]);
	});
});

test("the waterfall of a month goes from its budget by its drivers to its actual", async () => {
	const { totals } = (await answered(`/api/v1/variance/summary?${month}&by=account`)) as {
		totals: { currency: string; budget: string; actual: string }[];
	};
	const visitor = await Visitor.of(browser, program.origin);
	await visitor.see(`variance?${month}&view=waterfall&order=size`);
	const walks = await visitor.page
		.locator("main table.waterfall")
		.evaluateAll((tables) =>
			tables.map((t) =>
				[...t.querySelectorAll(".result .sofar [data-raw], .value [data-raw]")].map(
					(e) => e.getAttribute("data-raw") ?? "",
				),
			),
		);
	await visitor.end();
	expect(walks.length).toBe(totals.length);
	for (const { budget, actual } of totals) {
		const walk = walks.find((w) => plain(w[0] ?? "") === plain(String(budget)));
		expect(walk?.length).toBeGreaterThan(3);
		const steps = (walk ?? []).slice(1, -1).map((step) => Decimal.of(step));
		expect(plain(walk?.at(-1) ?? "")).toBe(plain(String(actual)));
		expect(Decimal.sum([Decimal.of(budget), ...steps]).compare(Decimal.of(actual))).toBe(0);
	}
});

test("the departments of the overview add up to the total of the interface, and the figures of its answer lead to their rows", async () => {
	const { totals } = (await answered(`/api/v1/variance/summary?${month}&by=department&span=year_to_date`)) as {
		totals: { currency: string; variance_abs: string }[];
	};
	const visitor = await Visitor.of(browser, program.origin);
	const { page } = visitor;
	await page.setViewportSize({ width: 390, height: 900 });
	await visitor.see(`overview?${month}`);
	const lists = page.getByRole("table", { name: /^Departments furthest over budget/ });
	expect(await lists.count()).toBe(totals.length);
	for (const { currency, variance_abs } of totals) {
		const list = page
			.getByRole("region", { name: new RegExp(`^${currency}`) })
			.locator(".lists table")
			.first();
		const raws = (await list
			.locator("td.end:not(.percent) [data-raw]")
			.evaluateAll((all) => all.map((figure) => figure.getAttribute("data-raw")))) as string[];
		expect(raws.length).toBeGreaterThan(1);
		expect(plain(raws.at(-1) ?? "")).toBe(plain(String(variance_abs)));
		expect(Decimal.sum(raws.slice(0, -1).map((raw) => Decimal.of(raw))).compare(Decimal.of(variance_abs))).toBe(0);
	}
	const cut = await page
		.locator("main .lists :is(th, td, a)")
		.evaluateAll((all) =>
			all.filter(
				(one) =>
					!one.closest(".visually-hidden") &&
					one.scrollWidth > one.clientWidth &&
					getComputedStyle(one).overflow !== "visible",
			),
		);
	expect(cut).toEqual([]);
	const answer = page.locator("main .answer").first();
	expect(await answer.innerText()).toMatch(
		/^The net result of the year to date is [\d,.]+ (better|worse) than budget, /,
	);
	for (let i = 0; i < 3; i++) {
		const link = answer.locator("a.figure").nth(i);
		const raw = (await link.getAttribute("data-raw")) ?? "";
		await link.click();
		await visitor.settled();
		const figures = await page
			.locator("main [data-raw]")
			.evaluateAll((all) => all.map((e) => e.getAttribute("data-raw")));
		expect(figures.map((figure) => plain(figure ?? ""))).toContain(plain(raw));
		await page.goBack();
		await visitor.settled();
	}
	expect(visitor.complaints).toEqual([]);
	await visitor.end();
});

test("departments stand the worst first, folded rows open by key, and all add up to the total of the interface", async () => {
	const large = await new Program()
		.demo("--departments", "40", "--accounts", "12", "--years", "1", "--trades", "10")
		.start();
	const query = "year=2026&period=3&currency=USD";
	const { items, totals } = await large.get<{
		items: { department: string; variance_abs: number }[];
		totals: { variance_abs: number }[];
	}>(`/api/v1/variance/summary?${query}&by=department`);
	const visitor = await Visitor.of(browser, large.origin);
	const { page } = visitor;
	await visitor.see(`variance?${query}&drivers=department`);
	const raws = async (rows: string) =>
		page
			.locator(`main ${rows} [data-column="variance"] [data-raw]`)
			.evaluateAll((all) => all.map((figure) => Number(figure.getAttribute("data-raw"))));
	const shown = await raws("tr.department");
	expect(shown).toEqual([...shown].sort((a, b) => a - b));
	expect(shown[0]).toBe(Math.min(...items.map((item) => item.variance_abs)));
	const [folded] = await raws("tr.fold");
	const total = totals[0]?.variance_abs ?? Number.NaN;
	expect(await raws("tr.total")).toEqual([total]);
	expect([...shown, ...(await raws("tr.fold"))].reduce((a, b) => a + b, 0)).toBeCloseTo(total, 2);

	const fold = page.locator("main tr.fold button").first();
	expect(await fold.innerText()).toMatch(/ (worse than|better than|on) budget$/);
	await fold.press("Enter");
	const parts = await raws("tr.part");
	expect(await fold.innerText()).toContain(String(parts.length));
	expect(parts.length).toBeGreaterThan(1);
	expect(parts.reduce((a, b) => a + b, 0)).toBeCloseTo(folded ?? Number.NaN, 2);
	expect(new URL(page.url()).hash).toContain("open=");
	await page.locator("main tr.fold").first().locator("td").first().click();
	expect(await raws("tr.part")).toEqual([]);
	expect(await page.locator("main .answer").innerText()).toMatch(/^The net result of P03 2026 is .* and \d+ others /);
	expect(visitor.complaints).toEqual([]);
	await visitor.end();
	await large.end();
});
