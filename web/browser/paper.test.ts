import { expect, test } from "vitest";
import { stage } from "./stage.ts";

const on = stage();

const long = "Usage and overage revenue of customers whose contracts end within the year, net of credits";

/** cut returns the texts in a table that do not fit their cells. */
async function cut(screen: string): Promise<string[]> {
	const { page } = on.visitor;
	await page.emulateMedia({ media: "screen" });
	await on.visitor.see(screen);
	await page.setViewportSize({ width: 718, height: 1000 }); // A4 without its margins
	await page.emulateMedia({ media: "print" });
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	await page.waitForTimeout(300);
	return page.locator("main tbody :is(th, td), main tbody :is(th, td) > :is(a, span)").evaluateAll((all) =>
		all
			.filter((e) => getComputedStyle(e).overflow !== "visible" && e.scrollWidth > e.clientWidth + 1)
			.filter((e) => !e.closest(".visually-hidden"))
			.map((e) => e.textContent ?? ""),
	);
}

test("no name is cut on paper, nor in a variance on a screen", async () => {
	const { page } = on.visitor;
	await on.program.post("/api/v1/gl-accounts", { code: "4999", description: long, type: "revenue" });
	const { items } = await on.program.get<{ items: { id: number; code: string }[] }>("/api/v1/accounts?limit=1000");
	const gl_account_id = items.find(({ code }) => code === "4999")?.id;
	const key = { department_id: 1, gl_account_id, fiscal_year: 2026, fiscal_period: 3, currency: "USD" };
	await on.program.post("/api/v1/actuals/ingest", { ...key, amount: 9_000_000 });
	const month = "year=2026&period=3&currency=USD";
	for (const screen of [
		`variance?${month}`,
		`variance?${month}&view=waterfall`,
		`alerts?${month}`,
		`overview?${month}`,
	]) {
		expect(await cut(screen), screen).toEqual([]);
		await page.getByText(long).first().waitFor();
	}
	// Nor on a screen, where a reader without a mouse sees no title.
	await page.emulateMedia({ media: "screen" });
	for (const width of [1440, 800]) {
		await page.setViewportSize({ width, height: 900 });
		for (const view of ["", "waterfall", "heatmap"]) {
			await on.visitor.see(`variance?${month}&view=${view}`);
			const name = page.locator("main tbody th", { hasText: long }).first();
			expect(await name.evaluate((one) => one.scrollWidth <= one.clientWidth + 1), `${view} ${width}`).toBe(true);
		}
	}
});
