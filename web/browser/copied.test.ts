import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { stage } from "./stage.ts";

const on = stage();

/** copy returns what a reader copies by selecting the row with a text, from its first cell to its last. */
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
	const account = "TOTAL";
	const description = '=HYPERLINK("https://example.com")';
	await on.program.post("/api/v1/gl-accounts", { code: account, description, type: "opex" });
	const { items } = await on.program.get<{ items: { id: number; code: string }[] }>("/api/v1/accounts?limit=1000");
	const gl_account_id = items.find(({ code }) => code === account)?.id;
	const key = { department_id: 1, gl_account_id, fiscal_year: 2026, fiscal_period: 3, currency: "USD" };
	await on.program.post("/api/v1/budget/create", { ...key, amount: 1 });
	await on.program.post("/api/v1/actuals/ingest", { ...key, amount: "12345678.25", source: "test" });
	await on.visitor.see("variance?year=2026&period=3&view=heatmap");
	const cells = (await copy(description)).split("\t");
	expect(cells[0]).toBe(`'${description} ${account}`);
	expect(cells).toContain("-12345677.25");
});

/** within moves the mouse over a cell, as a reader does to start or end a selection. */
async function within(page: Page, row: number) {
	const box = await page.locator(`main tr[data-row="${row}"] td`).nth(2).boundingBox();
	if (!box) throw new Error(`row ${row} is not drawn`);
	await page.mouse.move(box.x + 4, box.y + box.height / 2);
	await page.mouse.down();
	await page.mouse.move(box.x + 16, box.y + box.height / 2);
	await page.mouse.up();
}

test("rows of a long list that are not drawn are said not to be copied", async () => {
	const { page } = on.visitor;
	await on.visitor.see("actuals?year=2026");
	const notice = page.locator("[role=status].notice");
	const total = Number.parseInt(await page.locator("main output").innerText(), 10);
	expect(total).toBeGreaterThan(300);
	await page.context().grantPermissions(["clipboard-read"]);
	const lines = async () => (await page.evaluate(() => navigator.clipboard.readText())).split("\n").length;

	// Rows in the document are copied completely, without a note.
	await within(page, 1);
	await page.keyboard.down("Shift");
	await within(page, 4);
	await page.keyboard.up("Shift");
	await page.keyboard.press("Control+c");
	expect([await lines(), await notice.innerText()]).toEqual([4, ""]);

	await within(page, 1);
	await page.locator("main .frame").evaluate((frame) => frame.scrollTo(0, 32 * 250));
	await page.locator('main tr[data-row="255"]').waitFor();
	await page.keyboard.down("Shift");
	await within(page, 255);
	await page.keyboard.up("Shift");
	await page.keyboard.press("Control+c");
	const said = (rows: number) =>
		`${rows} of ${total} rows were copied, only those near the visible part. “Copy all” below the list takes every row.`;
	await notice.getByText(said(await lines())).waitFor();

	// The same holds for a selection of the whole page.
	await page.keyboard.press("Control+a");
	await page.keyboard.press("Control+c");
	await notice.getByText(said(await page.locator("main tr[data-row]").count())).waitFor();

	// All rows are offered, with every column.
	await page.getByRole("button", { name: `Copy all ${total} rows` }).click();
	await notice.getByText(`${total} rows were copied.`).waitFor();
	const all = (await page.evaluate(() => navigator.clipboard.readText())).split("\n").map((line) => line.split("\t"));
	expect([all.length, new Set(all.map((line) => line.length)).size]).toEqual([total + 1, 1]);
	const amount = all[0]?.indexOf("Amount") ?? -1;
	expect(all.slice(1).every((line) => /^-?\d+(\.\d+)?$/.test(line[amount] ?? ""))).toBe(true);
});

test("a selection keeps its columns: also where it begins within a row, where a cell is empty, and beside a bar", async () => {
	const { page } = on.visitor;
	await on.program.post("/api/v1/gl-accounts", { code: "9100", description: "Unposted", type: "opex" });
	const { items } = await on.program.get<{ items: { id: number; code: string }[] }>("/api/v1/accounts?limit=1000");
	const key = { department_id: 1, fiscal_year: 2026, fiscal_period: 3, currency: "USD" };
	const gl_account_id = items.find(({ code }) => code === "9100")?.id;
	await on.program.post("/api/v1/budget/create", { ...key, gl_account_id, amount: "1234.5" });
	await on.visitor.see("variance?year=2026&period=3&currency=USD");
	const [plain, html] = await page.evaluate(() => {
		const row = [...document.querySelectorAll("main tr.line")].find((tr) => tr.textContent?.includes("Unposted"));
		const before = row?.previousElementSibling;
		if (!row || !before) throw new Error("no such row");
		getSelection()?.setBaseAndExtent(before.children[2] as Element, 0, row, row.childNodes.length);
		const data = new DataTransfer();
		const event = new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true });
		row.dispatchEvent(event);
		return [data.getData("text/plain"), data.getData("text/html")];
	});
	const lines = plain.split("\n").map((line) => line.split("\t"));
	expect(lines[0]?.slice(0, 2)).toEqual(["", ""]);
	expect(lines[0]?.[2]).toMatch(/^-?\d+(\.\d+)?$/);
	expect(lines[1]).toEqual(["Unposted 9100", "1234.5", "", "1234.5", "100"]);
	expect(html.match(/<tr>/g)?.length).toBe(2);
	expect(html).toContain("<td>Unposted 9100</td><td>1234.5</td><td></td><td>1234.5</td>");
});

test("a total is copied in the column that it adds up", async () => {
	await on.visitor.see("actuals?year=2026&period=3&gl_code=6300");
	const row = (await copy("6300")).split("\t");
	const total = (await copy("Total")).split("\t");
	expect(row[4]).toMatch(/^\d+(\.\d+)?$/);
	expect(total.slice(0, 4)).toEqual(["Total", "", "", ""]);
	expect(total[4]).toMatch(/^\d+(\.\d+)?$/);
});

test("a cell is copied where the browser has no clipboard to write to, as over plain HTTP", async () => {
	const { page } = on.visitor;
	await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
	await on.visitor.see("trades");
	const cell = page.locator('main tr[data-row="0"] td.figure').first();
	const raw = await cell.locator("[data-raw]").getAttribute("data-raw");
	await cell.focus();
	await page.keyboard.press("Control+c");
	await page.getByRole("button", { name: "Symbol: any symbol" }).click();
	const box = page.getByRole("dialog", { name: "Symbol" }).getByRole("combobox");
	await box.and(page.locator(":focus")).waitFor();
	await page.keyboard.press("Control+v");
	expect(await box.inputValue()).toBe(raw);
});
