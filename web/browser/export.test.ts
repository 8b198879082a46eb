import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { stage } from "./stage.ts";

const on = stage();

/** exported presses a choice of Export by key, and returns the name and the text of the file. */
async function exported(choice: string): Promise<{ name: string; text: string }> {
	const { page } = on.visitor;
	const button = page.getByRole("button", { name: "Export" });
	await button.focus();
	await page.keyboard.press("Enter");
	await page.getByRole("link", { name: choice, exact: true }).focus();
	const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
	await page.getByRole("link", { name: choice, exact: true }).waitFor({ state: "hidden" });
	return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

test("a file has all that the filters of the screen give, in its order", async () => {
	await on.visitor.see("actuals?year=2026&period=3&dept=FIN&sort=amount");
	const { items } = await on.program.get<{ items: { amount: number }[] }>(
		"/api/v1/actuals?fiscal_year=2026&fiscal_period=3&dept=FIN&sort=amount&limit=1000",
	);
	const { name, text } = await exported("CSV");
	expect(name).toMatch(/^daybook-actuals-\d{4}-\d\d-\d\d\.csv$/);
	expect(text.startsWith("\uFEFF")).toBe(true);
	const [header, ...rows] = text.trim().split("\r\n"); // trim takes the mark too
	expect(header).toBe("department,gl_code,fiscal_year,fiscal_period,amount,currency,source");
	expect(rows.map((row) => row.split(",")[4])).toEqual(items.map(({ amount }) => String(amount)));
	expect(rows.length).toBeGreaterThan(0);
});

test("JSON has the objects of NDJSON", async () => {
	await on.visitor.see("reference?view=departments");
	const { items } = await on.program.get<{ items: { code: string }[] }>("/api/v1/departments?limit=1000");
	const records = JSON.parse((await exported("JSON")).text) as { code: string }[];
	const lines = (await exported("JSON, one record a line")).text.trim().split("\n");
	expect(records.map(({ code }) => code)).toEqual(items.map(({ code }) => code));
	expect(lines.map((line) => JSON.parse(line))).toEqual(records);
});

test("the choices keep nobody out, and stay within the window", async () => {
	const { page } = on.visitor;
	for (const screen of ["trades", "actuals", "positions", "variance?year=2026&period=3", "alerts?year=2026&period=3"]) {
		await on.visitor.see(screen);
		await page.getByRole("button", { name: "Export" }).click();
		const box = await page.getByRole("list", { name: "Export as" }).boundingBox();
		const size = page.viewportSize();
		expect(box && box.x >= 0 && box.x + box.width <= (size?.width ?? 0)).toBe(true);
		expect(await on.visitor.barriers()).toEqual([]);
		await page.keyboard.press("Escape");
	}
});
