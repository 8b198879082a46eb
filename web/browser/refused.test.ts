import { expect, test } from "vitest";
import { stage } from "./stage.ts";

const on = stage();

/** refuse answers requests for a path as a server that refuses them, or, with `times`, only the first ones. */
async function refuse(path: RegExp, status: 400 | 503, times?: number): Promise<void> {
	const json =
		status === 400 ? { error: "too large", code: "validation_failed" } : { error: "busy", code: "unavailable" };
	await on.visitor.page.route(path, (route) => route.fulfill({ status, json }), times === undefined ? {} : { times });
}

/** tableOf returns the tables whose caption matches. */
const tableOf = (caption: RegExp) =>
	on.visitor.page.locator("main table").filter({ has: on.visitor.page.locator("caption", { hasText: caption }) });

const month = "year=2026&period=5";

test.each([
	["actuals", /\/department\/list$/, /^Actuals/],
	["actuals", /\/accounts\?/, /^Actuals/],
	[`alerts?${month}`, /\/filters/, /^Lines more than 0 % from budget/],
	["positions", /\/positions\?open=false/, /^Long positions in USD/],
	["positions", /\/portfolio$/, /^Long positions in USD/],
	["overview", /\/portfolio$/, /^Largest unfavourable variances/],
	[`variance?${month}`, /\/variance\/trend/, /Budget against actual/],
	[`variance?${month}&against=forecast1`, /\/variance\/trend.*forecast1/, /Budget against actual/],
	[`variance?${month}&against=forecast1`, /\/variance\/summary.*forecast1/, /Budget against actual/],
	[
		`variance?${month}&line=6300%20USD&against=forecast1`,
		/\/variance\/summary.*forecast1.*by=line/,
		/^Actuals of 6300/,
	],
	[`variance?${month}&line=6300%20USD`, /\/api\/v1\/budgets/, /^Actuals of 6300/],
	[`variance?${month}&line=6300%20USD`, /\/api\/v1\/actuals/, /^Budget lines of 6300/],
] as const)("%s keeps its records when %s is refused", async (screen, path, table) => {
	const { page } = on.visitor;
	await refuse(path, 400);
	await on.visitor.see(screen);
	const records = tableOf(table).first();
	expect(await records.locator("tbody tr").count()).toBeGreaterThan(0);
	expect(await page.locator("main [role=alert]").count()).toBe(1);
	on.visitor.complaints.length = 0; // the browser reports each failed request
});

test.each([
	["actuals", /\/overview$/, /^Actuals/],
	[`variance?${month}&line=6300%20USD&dept=SAL`, /\/variance\/.*by=line/, /^Actuals of 6300/],
] as const)("%s does not ask for %s", async (screen, path, table) => {
	await refuse(path, 400);
	await on.visitor.see(screen);
	expect(await tableOf(table).first().locator("tbody tr").count()).toBeGreaterThan(0);
});

test("an overview that is refused leaves the portfolio", async () => {
	const { page } = on.visitor;
	await refuse(/\/api\/v1\/overview/, 400);
	await on.visitor.see("overview");
	const portfolio = page.locator("section", { has: page.getByRole("heading", { name: "Portfolio" }) });
	await portfolio.waitFor();
	expect(await portfolio.locator("tbody tr").count()).toBeGreaterThan(0);
	on.visitor.complaints.length = 0;
});

test("a search finds accounts where symbols are refused", async () => {
	const { page } = on.visitor;
	await refuse(/\/positions\/list$/, 400);
	await on.visitor.see("status");
	await page.getByRole("button", { name: "Search" }).click();
	await page.getByRole("combobox", { name: "Search screens" }).fill("6300");
	await page.getByRole("option", { name: "6300" }).waitFor();
	await page.getByText("Symbols could not be loaded: too large").waitFor();
	on.visitor.complaints.length = 0;
});

test("answers that are refused alike are told once, and asked for again together", async () => {
	const { page } = on.visitor;
	await refuse(/\/(positions\?|portfolio)/, 400, 3);
	await on.visitor.see("positions");
	expect(await page.getByRole("alert").count()).toBe(1);
	await page.getByRole("button", { name: "Try again" }).click();
	await tableOf(/^Long positions/)
		.first()
		.waitFor();
	expect(await page.getByRole("alert").count()).toBe(0);
	on.visitor.complaints.length = 0;
});

test.each(["trades", "actuals"])("%s are asked for again by the page when the server was busy", async (screen) => {
	const { page } = on.visitor;
	await refuse(new RegExp(`/api/v1/${screen}\\?`), 503, 1);
	await page.goto(`${on.visitor.origin}/#/${screen}`);
	await page.getByText("busy", { exact: true }).waitFor();
	await page.locator("main tbody tr").first().waitFor();
	expect(await page.getByRole("alert").count()).toBe(0);
	on.visitor.complaints.length = 0;
});

test("the source of actuals is suggested", async () => {
	const { page } = on.visitor;
	await on.visitor.see("actuals");
	await page.getByLabel("Source").focus();
	await page.locator("#sources option").first().waitFor({ state: "attached" });
});
