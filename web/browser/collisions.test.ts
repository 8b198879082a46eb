import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Program } from "./program.ts";
import { open, Visitor } from "./visitor.ts";

let browser: Browser;
let program: Program;
let visitor: Visitor;
beforeAll(async () => {
	[browser, program] = await Promise.all([open(), new Program().start()]);
	await store();
});
afterAll(async () => {
	await browser?.close();
	await program?.end();
});
beforeEach(async () => {
	visitor = await Visitor.of(browser, program.origin);
});
afterEach(async () => {
	expect(visitor.complaints).toEqual([]);
	await visitor.end();
});

/** store creates records whose codes, names and currencies are equal when joined. */
async function store(): Promise<void> {
	for (const [code, name] of [
		["A", "BC"],
		["AB", "C"],
		["A B", "x"],
	])
		await program.post("/api/v1/department/create", { code, name });
	for (const [code, description] of [
		["C", "one"],
		["B C", "two"],
		["A B", "three"],
		["A", "four"],
	])
		await program.post("/api/v1/gl-accounts", { code, description, type: "opex" });
	await program.post("/currency/add", { code: "B EUR" });
	await post(1, 2, "EUR", 100, 301);
	await post(3, 1, "EUR", 100, 302);
	await post(1, 1, "EUR", 100, 303);
	await post(2, 3, "EUR", 1000, 1200);
	await post(2, 4, "B EUR", 5, 7);
}

async function post(
	department_id: number,
	gl_account_id: number,
	currency: string,
	budget: number,
	actual: number,
): Promise<void> {
	const key = { department_id, gl_account_id, fiscal_year: 2026, fiscal_period: 6, currency };
	await program.post("/api/v1/budget/create", { ...key, amount: budget });
	await program.post("/api/v1/actuals/ingest", { ...key, amount: actual, source: "feed" });
}

const month = "year=2026&period=6";
const texts = (selector: string) => visitor.page.locator(selector).allInnerTexts();
const sorted = (list: string[]) => list.map((text) => text.replace(/\s+/g, " ").trim()).sort();

test("the alerts have a row for each line", async () => {
	await visitor.see(`alerts?${month}`);
	const rows = visitor.page.locator("main tbody tr");
	const cells = async (field: string) => rows.locator(`[data-field="${field}"]`).allInnerTexts();
	const [departments, accounts, amounts] = [
		await cells("department"),
		await cells("gl_code"),
		(await cells("variance_abs")).map((text) => text.split("\n")[0]),
	];
	expect(departments.map((department, i) => [department, accounts[i], amounts[i]])).toEqual([
		["BC A", "one C", "(203)"],
		["x A B", "one C", "(202)"],
		["BC A", "two B C", "(201)"],
		["C AB", "three A B", "(200)"],
		["C AB", "four A", "(2)"],
	]);
});

test("the overview has each line, and what comes below them", async () => {
	await visitor.see(`overview?${month}`);
	const euros = visitor.page.getByRole("region", { name: /^EUR/ });
	const worst = euros.getByRole("table", { name: /^Largest unfavourable/ }).locator("tbody tr");
	expect(sorted(await worst.allInnerTexts())).toEqual([
		expect.stringMatching(/^one · BC /),
		expect.stringMatching(/^one · x /),
		expect.stringMatching(/^three · C /),
		expect.stringMatching(/^two · BC /),
	]);
	expect(await visitor.page.getByRole("region", { name: /^B EUR/ }).count()).toBe(1);
	expect(await texts("main h2")).toContain("Freshness of actuals");
});

test("the search lists every department and account", async () => {
	await visitor.see("status");
	await visitor.page.keyboard.press("Control+k");
	const found = visitor.page.getByRole("option");
	await found.filter({ hasText: "four" }).waitFor();
	const departments = found.filter({ hasText: "Department" });
	expect(sorted(await departments.allInnerTexts())).toEqual(["A B x Department", "A BC Department", "AB C Department"]);
	await visitor.page.keyboard.type("three");
	await visitor.page.keyboard.press("Enter");
	await visitor.settled();
	expect((await visitor.page.title()).startsWith("A B three, P")).toBe(true);
	expect(await visitor.page.getByText("All departments").first().isVisible()).toBe(true);
});

test("accounts whose codes and currencies join to one text are two lines of the variance, each with its own figures", async () => {
	await visitor.see(`variance?${month}`);
	const statement = async (currency: string) => {
		const region = visitor.page.getByRole("region", { name: `Statement in ${currency}`, exact: true });
		return (await region.locator("tr.line").allInnerTexts()).map((row) => row.split(/\s+/).slice(0, 5).join(" "));
	};
	expect(await statement("B EUR")).toEqual(["four A 5 7 (2)"]);
	expect(await statement("EUR")).toContain("three A B 1,000 1,200");
	for (const [link, name, currency, figures] of [
		["three", "A B three", "EUR", /1,000\s+1,200/],
		["four", "A four", "B EUR", /5\s+7/],
	] as const) {
		await visitor.see(`variance?${month}`);
		await visitor.page.getByRole("link", { name: link, exact: true }).click();
		await visitor.settled();
		const detail = visitor.page.getByRole("region", { name: `${name}, ${currency}`, exact: true });
		expect(await visitor.page.locator(".detail").count()).toBe(1);
		const rows = async (kind: string) => sorted(await detail.locator(`tr.${kind}`).allInnerTexts());
		expect(await rows("department")).toEqual([expect.stringMatching(/^C ?AB /)]);
		for (const kind of ["department", "here"]) expect(await rows(kind)).toEqual([expect.stringMatching(figures)]);
	}
});

test("a version that is compared with itself in other letters is drawn", async () => {
	await visitor.see(`variance?${month}&version=forecast1&against=FORECAST1`);
	expect(await visitor.page.locator("tr.line").count()).toBeGreaterThan(0);
});

/** spoil changes an answer before the page receives it, so that a part fails in an unforeseen way. */
async function spoil(path: string, change: (answer: never) => void): Promise<void> {
	await visitor.page.route(`**${path}*`, async (route) => {
		const response = await route.fetch();
		const answer = await response.json();
		change(answer as never);
		await route.fulfill({ response, json: answer });
	});
}

/** undrawn returns the errors of parts that could not be rendered; the console has the cause. */
async function undrawn(): Promise<string[]> {
	expect(visitor.complaints.splice(0).join()).toMatch(/^console: /);
	return texts("[role=alert] .what");
}

test("a list that cannot be drawn says so, and the rest of the overview stays", async () => {
	await spoil("/api/v1/overview", (answer: { currencies: { currency: string; worst: unknown[] }[] }) => {
		for (const { currency, worst } of answer.currencies) if (currency === "EUR") worst.push(worst[0]);
	});
	await visitor.see(`overview?${month}`);
	expect(await undrawn()).toEqual(["The list of the largest unfavourable variances could not be displayed."]);
	expect(await visitor.barriers()).toEqual([]);
	expect(await texts("main h2")).toEqual([
		expect.stringMatching(/^EUR/),
		expect.stringMatching(/^B EUR/),
		"Freshness of actuals",
	]);
	expect(await visitor.page.getByRole("table", { name: /^Largest favourable/ }).count()).toBe(2);

	// It renders again with the next good answer.
	await visitor.page.unrouteAll();
	await post(3, 2, "EUR", 100, 90);
	await visitor.page.waitForFunction(() => !document.querySelector("[role=alert]"));
	expect(await visitor.page.getByRole("table", { name: /^Largest unfavourable/ }).count()).toBe(2);
});

test("a screen that cannot be drawn says so, and the others can be seen", async () => {
	await spoil("/api/v1/quality", (answer: { items: unknown[] }) => {
		answer.items = [null];
	});
	await visitor.see("quality");
	expect(await undrawn()).toEqual(["The screen could not be displayed."]);
	expect(await texts("h1")).toEqual(["Data quality"]);
	expect(await visitor.barriers()).toEqual([]);
	await visitor.page.getByRole("button", { name: "Try again" }).click();
	await visitor.settled();
	expect(await undrawn()).toEqual(["The screen could not be displayed."]);
	await visitor.page.getByRole("link", { name: "Trades" }).click();
	await visitor.settled();
	expect(await texts("h1")).toEqual(["Trades"]);
	expect(await texts("[role=alert]")).toEqual([]);
	await visitor.page.unrouteAll();
	await visitor.page.goBack();
	await visitor.settled();
	expect(await texts("[role=alert]")).toEqual([]);
});

test("a search that cannot be drawn says so, and the page stays", async () => {
	await spoil("/api/v1/gl-accounts", (answer: { code: unknown }[]) => {
		for (const account of answer) account.code = null;
	});
	await visitor.see("status");
	await visitor.page.keyboard.press("Control+k");
	await visitor.page.keyboard.type("a");
	await visitor.page.locator("dialog [role=alert]").waitFor();
	expect(await undrawn()).toEqual(["The search could not be displayed."]);
	await visitor.page.keyboard.press("Escape");
	await visitor.page.getByRole("dialog").waitFor({ state: "detached" });
	expect(await texts("h1")).toEqual(["Status"]);
});
