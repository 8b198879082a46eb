import { expect, test } from "vitest";
import { stage } from "./stage.ts";

const on = stage();

const month = "year=2026&period=3";

/** figures returns the amounts in the row of an account, as they are shown, in their title, and as they are copied. */
async function figures(account: string): Promise<{ shown: string; title: string | null; copied: string | null }[]> {
	const row = on.visitor.page.locator("main tr", { hasText: account }).first();
	return row.locator('.figure:not([title$="%"])').evaluateAll((all) =>
		all.map((figure) => ({
			shown: figure.textContent ?? "",
			title: figure.getAttribute("title"),
			copied: figure.getAttribute("data-raw"),
		})),
	);
}

test("a unit is chosen beside the other filters, and is in the address, the heading and every link", async () => {
	const { page } = on.visitor;
	await on.visitor.see(`variance?${month}&currency=USD`);
	expect(await page.getByLabel("Amounts").inputValue()).toBe("exact"); // as the demo's amounts are small
	await page.getByRole("heading", { name: "USD", exact: true }).waitFor();
	const exact = await figures("Salaries and wages");
	expect(exact.map(({ shown }) => shown)).not.toContain("");

	await page.getByLabel("Amounts").selectOption("thousands");
	await page.getByRole("heading", { name: "USD thousands" }).waitFor();
	expect(on.here()).toContain("unit=thousands");
	const thousands = await figures("Salaries and wages");
	for (const [i, { shown, title, copied }] of thousands.entries()) {
		expect(shown).toMatch(/^(\(?[\d,]+\)?|–)$/);
		expect([title, copied]).toEqual([exact[i]?.title, exact[i]?.copied]);
		const rounded = Math.round(Math.abs(Number(copied)) / 1000);
		if (shown !== "–") expect(Number(shown.replaceAll(/[(),]/g, ""))).toBe(rounded);
	}
	await page.locator("main a", { hasText: "Salaries and wages" }).first().click();
	await page.getByText("USD thousands").first().waitFor();
	expect(on.here()).toContain("unit=thousands");
});

test("a link shows its unit, in any case, and the cells are copied exactly", async () => {
	const { page } = on.visitor;
	await page.context().grantPermissions(["clipboard-read"]);
	await on.visitor.see(`variance?${month}&currency=USD&unit=Millions`);
	await page.getByRole("heading", { name: "USD millions" }).waitFor();
	expect(on.here()).toContain("unit=millions");
	const row = page.locator("main tr", { hasText: "Salaries and wages" }).first();
	await row.evaluate((tr) => getSelection()?.setBaseAndExtent(tr, 0, tr, tr.childNodes.length));
	await page.keyboard.press("Control+c");
	const cells = (await page.evaluate(() => navigator.clipboard.readText())).split("\t");
	const { items } = await on.program.get<{ items: { gl_description: string; actual: number }[] }>(
		`/api/v1/variance/summary?${month}&currency=USD&by=account`,
	);
	expect(cells).toContain(String(items.find((item) => item.gl_description === "Salaries and wages")?.actual));
});

test("the decimals are those of a currency, and a budget of zero has no percentage", async () => {
	const { page } = on.visitor;
	for (const [code, description] of [
		["KW", "Dinars"],
		["KX", "Unplanned"],
	])
		await on.program.post("/api/v1/gl-accounts", { code, description, type: "opex" });
	const { items } = await on.program.get<{ items: { id: number; code: string }[] }>("/api/v1/accounts?limit=1000");
	const dinars = items.find(({ code }) => code === "KW")?.id;
	const unplanned = items.find(({ code }) => code === "KX")?.id;
	const line = { department_id: 1, fiscal_year: 2026, fiscal_period: 3, currency: "KWD" };
	await on.program.post("/api/v1/budget/create", { ...line, gl_account_id: dinars, amount: "1.234" });
	await on.program.post("/api/v1/actuals/ingest", { ...line, gl_account_id: dinars, amount: "1.238" });
	await on.program.post("/api/v1/budget/create", { ...line, gl_account_id: unplanned, amount: 0 });
	await on.program.post("/api/v1/actuals/ingest", { ...line, gl_account_id: unplanned, amount: 7 });
	await on.visitor.see(`variance?${month}&currency=KWD`);
	expect((await figures("Dinars")).map(({ shown }) => shown)).toEqual(["1.234", "1.238", "(0.004)"]);
	await page.locator("main tr", { hasText: "Unplanned" }).getByText("no budget").waitFor();
});
