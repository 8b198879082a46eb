import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { stage } from "./stage.ts";

const on = stage();

const month = "year=2026&period=3";
const widths = [390, 800, 1280, 1440, 1920];

/** faults returns each figure and time that is cut, and each table with a column that is only partly in its frame. */
function faults(page: Page): Promise<{ tables: number; cut: string[]; half: string[] }> {
	return page.evaluate(() => {
		const tables = [...document.querySelectorAll<HTMLTableElement>("main .place table")];
		const cells = tables.flatMap((table) => [...table.querySelectorAll<HTMLElement>(":is(td, thead th)")]);
		const cut = cells.filter((cell) => {
			const figure = cell.matches(".numeric, .time, .date, .end, th");
			return figure && !cell.matches(".drawn, .detail *") && cell.scrollWidth > cell.clientWidth + 1;
		});
		const half = tables.filter((table) => {
			const frame = table.closest(".place")?.getBoundingClientRect();
			return table.getBoundingClientRect().right > (frame?.right ?? 0) + 1;
		});
		return {
			tables: tables.length,
			cut: cut.map((cell) => cell.innerText),
			half: half.map((table) => table.caption?.innerText ?? ""),
		};
	});
}

test.each([
	[
		"en-US",
		["trades", "positions", `alerts?${month}`, `actuals?${month}`, `variance?${month}`, "reference?view=departments"],
	],
	["de-DE", ["trades", `alerts?${month}`, `variance?${month}&against=forecast1`]],
	[
		"sv-SE",
		["trades", "positions", "positions?symbol=NBKI&currency=USD&product=0", `variance?${month}&unit=exact&line=6300`],
	],
])("in %s no time or figure is cut and no column is half in view, on any screen", async (locale, screens) => {
	const context = await on.browser.newContext({ locale, timezoneId: "America/New_York" });
	const page = await context.newPage();
	for (const screen of screens) {
		await page.goto("about:blank");
		await page.goto(`${on.program.origin}/#/${screen}`);
		await page.locator("main .place tbody tr").nth(3).waitFor();
		await page.evaluate(() => document.fonts.ready);
		for (const width of widths) {
			await page.setViewportSize({ width, height: 900 });
			await page.waitForTimeout(100);
			const { tables, cut, half } = await faults(page);
			expect([tables > 0, cut, half], `${screen} at ${width}`).toEqual([true, [], []]);
		}
	}
	await page.goto(`${on.program.origin}/#/trades`);
	const times = page.locator("main tbody td.time");
	await times.first().waitFor();
	for (const time of await times.allInnerTexts()) expect(time.trim()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
	await context.close();
});

test("the head stays in view, and the first column beside figures that scroll", async () => {
	const { page } = on.visitor;
	await on.visitor.see("trades");
	const frame = page.locator("main .frame");
	const places = () =>
		frame.evaluate((box) => {
			const { left, top } = box.getBoundingClientRect();
			const head = box.querySelector("thead th")?.getBoundingClientRect();
			const first = box.querySelector("tbody td[data-column='0']")?.getBoundingClientRect();
			return [Math.round((head?.top ?? -1) - top), Math.round((first?.left ?? -1) - left), box.scrollLeft];
		});
	await frame.evaluate((box) => box.scrollTo(0, 900));
	expect((await places())[0]).toBe(0);
	// So narrow that even the columns that always stay do not fit.
	await page.setViewportSize({ width: 240, height: 700 });
	await page.locator("main .place.beyond").waitFor();
	await frame.evaluate((box) => box.scrollTo(40, 900));
	await page.locator("main .slid").waitFor();
	const [top, left, scrolled] = await places();
	expect([top, left, (scrolled ?? 0) > 0]).toEqual([0, 0, true]);
});

test("a whole row opens, by a click anywhere on it and by key, and shows what has no column", async () => {
	const { page } = on.visitor;
	await page.setViewportSize({ width: 390, height: 844 });
	await on.visitor.see("trades");
	const opened = page.locator("main button[aria-expanded=true]");
	await page
		.locator("main tr[data-row='1'] td")
		.last()
		.click({ position: { x: 2, y: 2 } });
	await page.locator("main tr.detail dt", { hasText: "Price" }).waitFor();
	await page.locator("main tr[data-row='1'] td").first().click();
	expect(await opened.count()).toBe(0);
	await page.locator("main tr[data-row='0'] td").first().focus();
	for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
	expect(await page.locator("main tr[data-row='2'] button[aria-expanded=true]").count()).toBe(1);

	await page.setViewportSize({ width: 1440, height: 900 });
	await on.visitor.see(`alerts?${month}`);
	await page.locator("main tr[data-row='0'] td[data-field='variance_abs']").click();
	await page.waitForFunction(() => location.hash.startsWith("#/variance"));
	await on.visitor.see(`variance?${month}`);
	await page.locator("tr.line td").first().click();
	await page.waitForFunction(() => location.hash.includes("line="));
});

test("a row has one tab stop, and the arrows reach its figures", async () => {
	const { page } = on.visitor;
	const stops = () =>
		page.locator("main .place tbody tr").evaluateAll((rows) =>
			rows.map((row) => {
				const all = [...row.querySelectorAll<HTMLElement>("a, button, [tabindex]")];
				return all.filter((each) => each.tabIndex >= 0).length;
			}),
		);
	await on.visitor.see(`alerts?${month}`);
	expect(new Set(await stops())).toEqual(new Set([1]));
	await on.visitor.see(`variance?${month}&currency=USD`);
	expect(new Set(await stops())).toEqual(new Set([0, 1])); // the heads of the sections have none
	await page.locator("tr.line a").first().focus();
	for (const key of ["ArrowRight", "ArrowDown", "End"]) await page.keyboard.press(key);
	const at = await page.evaluate(() => {
		const row = document.activeElement?.closest("tr");
		const column = document.activeElement?.getAttribute("data-column");
		return [[...document.querySelectorAll("tr.line")].indexOf(row as HTMLTableRowElement), column];
	});
	expect(at).toEqual([1, "percent"]);
	await page.keyboard.press("Home");
	await page.keyboard.press("Enter");
	await page.waitForFunction(() => location.hash.includes("line="));
});

test("a negative figure is spoken as minus, and its direction in a word", async () => {
	const { page } = on.visitor;
	await on.visitor.see(`alerts?${month}&only=unfavourable`);
	const cell = page.locator("main tr[data-row='0'] td[data-field='variance_abs']");
	expect(await cell.ariaSnapshot()).toMatch(/minus \([\d,.]+\) unfavourable/);
});
