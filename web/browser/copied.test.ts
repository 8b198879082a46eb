import { expect, test } from "vitest";
import { stage } from "./stage.ts";

const on = stage();

/** copy is what a reader copies who selects the row of a table that has a text, from its first cell to its last. */
async function copy(text: string): Promise<string> {
	const { page } = on.visitor;
	await page.locator("main tr", { hasText: text }).first().waitFor();
	await page.evaluate((text) => {
		addEventListener("copy", (event) =>
			Object.assign(globalThis, { copied: event.clipboardData?.getData("text/plain") }),
		);
		const row = [...document.querySelectorAll("main tr")].find((tr) => tr.textContent?.includes(text));
		if (!row) throw new Error("no row has it");
		getSelection()?.setBaseAndExtent(row, 0, row, row.childNodes.length);
	}, text);
	await page.keyboard.press("Control+c");
	return page.evaluate(() => (globalThis as unknown as { copied: string }).copied);
}

test("no row of a table is copied with a formula in it, and its figures are copied as numbers", async () => {
	const symbol = "=1+1";
	await on.program.buy({ symbol, shares: 2500, price: "1.5" });
	await on.visitor.see(`trades?symbol=${encodeURIComponent(symbol)}`);
	const cells = (await copy(symbol)).split("\t");
	expect(cells).toContain(`'${symbol}`);
	expect(cells).toContain("2500");
});

test("no row of a heat map is copied with a formula in it either", async () => {
	const account = '=HYPERLINK("https://example.com")';
	await on.program.post("/api/v1/gl-accounts", { code: account, description: "Total", type: "opex" });
	const { items } = await on.program.get<{ items: { id: number; code: string }[] }>("/api/v1/accounts?limit=1000");
	const gl_account_id = items.find(({ code }) => code === account)?.id;
	const key = { department_id: 1, gl_account_id, fiscal_year: 2026, fiscal_period: 3, currency: "USD" };
	await on.program.post("/api/v1/budget/create", { ...key, amount: 1 });
	await on.program.post("/api/v1/actuals/ingest", { ...key, amount: "12345678.25", source: "test" });
	await on.visitor.see("variance?year=2026&period=3&view=heatmap");
	const cells = (await copy(account)).split("\t");
	expect(cells[0]).toBe(`'${account} Total`);
	expect(cells).toContain("-12345677.25");
});
