import { expect, test } from "vitest";
import { stage } from "./stage.ts";
import { hold } from "./visitor.ts";

const on = stage();

test("the palette leads to a department by its code", async () => {
	await on.visitor.see("alerts?year=2026&period=3");
	const [department] = await on.program.get<{ code: string; name: string }[]>("/api/v1/department/list");
	if (!department) throw new Error("the demo has no department");
	await on.visitor.page.keyboard.press("Control+k");
	const search = on.visitor.page.getByRole("dialog", { name: "Search" });
	await search.waitFor();
	await on.visitor.page.keyboard.type(department.code);
	await search.getByRole("option", { name: department.code }).first().waitFor();
	await on.visitor.page.keyboard.press("Enter");
	await on.visitor.settled();
	expect(on.here()).toContain(`dept=${department.code}`);
});

test("a server that goes away and comes back is survived", async () => {
	await on.visitor.see("status");
	await on.program.stop();
	await on.visitor.page
		.getByText(/does not answer/)
		.first()
		.waitFor();
	await on.program.start();
	await on.visitor.page.waitForFunction(() => !/does not answer/.test(document.body.innerText), undefined, {
		timeout: 60_000,
	});
	on.visitor.complaints.length = 0; // the browser reports each request without an answer
});

test("what another client stores is seen without a reload", async () => {
	await on.visitor.see("trades");
	await on.program.buy({ symbol: "SEENLIVE" });
	await on.visitor.page.getByText("SEENLIVE").first().waitFor();
});

test("what changes before the page is told of changes is seen as well", async () => {
	const { held, release } = hold();
	await on.visitor.page.route("**/api/v1/events", async (route) => {
		await held;
		await route.continue();
	});
	await on.visitor.see("trades");
	await on.program.buy({ symbol: "SEENBEFORE" });
	release();
	await on.visitor.page.getByText("SEENBEFORE").first().waitFor();
});

test("a figure of the overview leads to its source records in three clicks", async () => {
	await on.visitor.see("overview?year=2026&period=3");
	const { page } = on.visitor;
	await page.getByRole("link", { name: "Legal settlements" }).first().click();
	await on.visitor.settled();
	expect(on.here()).toContain("line=6490");
	const actuals = await on.program.get<{ items: { id: number }[] }>(
		"/api/v1/actuals?fiscal_year=2026&fiscal_period=3&dept=FIN&gl_code=6490",
	);
	const [record] = actuals.items;
	if (!record) throw new Error("the demo has no such actual");
	await page.getByText(String(record.id), { exact: true }).first().waitFor();
});

test("a subtotal leads to its lines, and those to their records", async () => {
	const { page } = on.visitor;
	await on.visitor.see("variance?year=2026&period=3&currency=USD");
	await page.locator("tr.subtotal").nth(2).getByRole("link").first().click();
	await on.visitor.settled();
	expect(on.here()).toContain("type=opex");
	expect(await page.locator("tr.section").allInnerTexts()).toEqual(["Operating expenses"]);
	expect(await page.locator("tr.total").count()).toBe(0);
	await page.getByRole("link", { name: "Legal settlements" }).first().click();
	await on.visitor.settled();
	expect(await page.getByRole("heading", { name: "Actuals" }).count()).toBe(1);
});

test("currencies come in one order on every screen", async () => {
	const { page } = on.visitor;
	const order = async (screen: string) => {
		await on.visitor.see(screen);
		const heads = await page.locator("main h2").allInnerTexts();
		return heads.flatMap((head) => /\b(?:USD|GBP)\b/.exec(head) ?? []);
	};
	const month = "year=2026&period=3";
	for (const view of ["overview", "variance", "variance?view=heatmap", "variance?view=waterfall"])
		expect([view, await order(view + (view.includes("?") ? "&" : "?") + month)]).toEqual([view, ["USD", "GBP"]]);
});

test("the keys of a keyboard without brackets go a period on and back", async () => {
	await on.visitor.see("alerts?year=2026&period=3");
	await on.visitor.page.keyboard.press(".");
	expect(on.here()).toContain("period=4");
	await on.visitor.page.keyboard.press(",");
	expect(on.here()).toContain("period=3");
});

test("each of the two interfaces is described on a page of its own, made from its document", async () => {
	const { page } = on.visitor;
	const said = await on.program.get<{ paths: Record<string, Record<string, { tags?: string[]; summary?: string }>> }>(
		"/openapi.json",
	);
	const of = (tags: string[]) =>
		Object.entries(said.paths).flatMap(([path, operations]) =>
			Object.entries(operations)
				.filter(([, { tags: [tag = ""] = [] }]) => tags.includes(tag))
				.map(([method, { summary }]) => `${method.toUpperCase()} ${path} ${summary}`),
		);
	const headings = async (view: string) => {
		await on.visitor.see(`api?view=${view}`);
		return (await page.locator("main h4").allInnerTexts()).map((heading) => heading.replace(/\s+/g, " ")).sort();
	};
	expect(await headings("trading")).toEqual(of(["Health", "Currencies", "Companies", "Trades", "Positions"]).sort());
	expect(await page.locator("#operation-addTrade").innerText()).toMatch(/required[\s\S]*Example request/);
	expect(await headings("budget")).toEqual(of(["Departments", "GL accounts", "Budgets", "Actuals", "Variance"]).sort());
	await on.visitor.see("api");
	await page.getByRole("link", { name: "/api/v1/actuals/ingest" }).click();
	await on.visitor.settled();
	expect(on.here()).toMatch(/view=budget&at=/);
	const heading = page.getByRole("heading", { name: "POST /api/v1/actuals/ingest", level: 4 });
	expect(await heading.evaluate((h) => h.getBoundingClientRect().top)).toBeLessThan(200);
});
