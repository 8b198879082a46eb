import { expect, test } from "vitest";
import { Program } from "./program.ts";
import { stage } from "./stage.ts";
import { smallTargets } from "./targets.ts";

const on = stage();
const phone = { width: 360, height: 800 };

test("every variance of a year stands under its period, however long the reader's language labels amounts", async () => {
	const year = await new Program().start();
	await year.post("/api/v1/gl-accounts", { code: "6000", description: "Rent", type: "opex" });
	const departments = ["1000000", "100000000000"];
	for (const [i, amount] of departments.entries()) {
		await year.post("/api/v1/department/create", { code: `D${i}`, name: `Department ${i}` });
		for (let fiscal_period = 1; fiscal_period <= 12; fiscal_period++) {
			const place = { department_id: i + 1, gl_account_id: 1, fiscal_year: 2026, fiscal_period, currency: "EUR" };
			await year.post("/api/v1/budget/create", { ...place, amount });
			await year.post("/api/v1/actuals/ingest", { ...place, amount: Number(amount) * 1.02, source: "erp" });
		}
	}
	for (const locale of ["en-GB", "de-DE", "lt-LT", "es-ES", "ru-RU"]) {
		const context = await on.browser.newContext({ locale, viewport: phone });
		const page = await context.newPage();
		for (const [i] of departments.entries()) {
			const said = `${locale} D${i}`;
			await page.goto(`${year.origin}/#/overview?year=2026&period=12&dept=D${i}`);
			const drawing = page.locator(".year .drawing svg");
			await drawing.locator("a").nth(11).waitFor();
			const { names, bars, labels } = await drawing.evaluate((svg) => {
				const { left: start, top } = svg.getBoundingClientRect();
				const middle = ({ left, right }: DOMRect) => (left + right) / 2 - start;
				const texts = [...svg.querySelectorAll("text")].map((text) => ({
					text: text.textContent ?? "",
					box: text.getBoundingClientRect(),
				}));
				const drawn = [...svg.querySelectorAll("rect:is(.good, .bad)")].map((bar) => bar.getBoundingClientRect());
				return {
					names: texts
						.filter(({ text }) => /^P\d\d$/.test(text))
						.map(({ text, box }) => [Number(text.slice(1)), middle(box)]),
					bars: drawn.map(middle),
					labels: texts.filter(({ box }) => box.bottom < top + 225).map(({ box }) => box.left - start),
				};
			});
			const [first, last] = [names[0], names.at(-1)];
			expect([first?.[0], (last?.[0] ?? 0) > 8], said).toEqual([1, true]);
			const column = ((last?.[1] ?? 0) - (first?.[1] ?? 0)) / ((last?.[0] ?? 0) - 1);
			const under = [...new Set(bars.map((bar) => (bar - (first?.[1] ?? 0)) / column + 1))];
			expect(
				[...new Set(under.map(Math.round))].sort((a, b) => a - b),
				said,
			).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
			expect(Math.max(...under.map((at) => Math.abs(at - Math.round(at)))), said).toBeLessThan(0.1);
			expect(labels.length, said).toBeGreaterThan(3);
			expect(Math.min(...labels), said).toBeGreaterThanOrEqual(0);
		}
		await context.close();
	}
	await year.end();
});

test("figures of a heat map are read whole on a phone, and where it was scrolled", async () => {
	const { page } = on.visitor;
	await page.setViewportSize(phone);
	await on.visitor.see("variance?year=2026&period=5&view=heatmap");
	const frame = page.locator("main .frame").first();
	/** How many columns show whole figures, and how many figures are covered by the names beside them. */
	const look = () =>
		frame.evaluate((frame) => {
			const start = frame.querySelector("tbody th")?.getBoundingClientRect().right ?? 0;
			const end = frame.getBoundingClientRect().right;
			const all = [...frame.querySelectorAll("a[data-raw]")].map((figure) => {
				const text = document.createRange();
				text.selectNodeContents(figure);
				return text.getBoundingClientRect();
			});
			return {
				columns: new Set(all.filter(({ left, right }) => left >= start && right <= end).map(({ right }) => right)).size,
				cut: all.filter(({ left, right }) => left < start && right > start).length,
			};
		});
	for (const by of [0, 30, 75, 120]) {
		await frame.evaluate((frame, by) => frame.scrollTo(by, 0), by);
		await page.waitForTimeout(100);
		const { columns, cut } = await look();
		expect([columns >= 2, cut], `${by}`).toEqual([true, 0]);
	}
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width);
});

test("the filters of a screen stand behind one button, which says them as a sentence", async () => {
	const { page } = on.visitor;
	await page.setViewportSize({ width: 390, height: 844 });
	await on.visitor.see("trades?side=buy");
	const main = page.locator("main");
	expect(await main.locator("select, input").count()).toBe(0);
	await page.getByRole("button", { name: /^Buys in all currencies Change$/ }).click();
	const sheet = page.getByRole("dialog", { name: "What is shown" });
	await sheet.getByLabel("Symbol").fill("nbki");
	await sheet.getByLabel("From").fill("2026-01-01");
	await sheet.getByLabel("Currency", { exact: true }).selectOption("USD");
	expect(await smallTargets(page, 44)).toEqual([]);
	expect(await on.visitor.barriers()).toEqual([]);
	await sheet.getByRole("button", { name: "Done" }).click();
	await on.visitor.settled();
	await page.getByRole("button", { name: /^Buys of NBKI from 2026-01-01 in USD Change$/ }).waitFor();
	// What is worth most to know stands in the row, the rest opens in it.
	expect(await main.locator("thead th").allInnerTexts()).toEqual(
		expect.arrayContaining([expect.stringContaining("Symbol"), expect.stringContaining("Value")]),
	);
	await page.setViewportSize({ width: 1280, height: 844 });
	await page.getByRole("button", { name: "Symbol: NBKI" }).waitFor();
});

test("the bar at the foot says how many alerts the month has", async () => {
	const { page } = on.visitor;
	await page.setViewportSize({ width: 390, height: 844 });
	await on.visitor.see("alerts?year=2026&period=3");
	const all = Number.parseInt(await page.locator("main output").first().innerText(), 10);
	const link = page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Alerts", exact: true });
	await link.getByText(String(all), { exact: true }).waitFor();
	expect(await link.getAttribute("title")).toBe(`${all} open`);
	expect(await on.visitor.barriers()).toEqual([]);
});

test("a row of alerts shows name, variance, bar and %, and opens the rest in it", async () => {
	const { page } = on.visitor;
	await page.setViewportSize({ width: 390, height: 844 });
	await on.visitor.see("alerts?year=2026&period=3");
	await page.getByRole("button", { name: /off budget by more than 10% Change$/ }).waitFor();
	const row = page.locator("main tr[data-row='0']");
	const fields = await row.locator("td").evaluateAll((all) => all.map((td) => (td as HTMLElement).dataset.field));
	expect(fields).toEqual(["department", "variance_abs", "bar", "variance_pct"]);
	await row.locator("td").last().click();
	const rest = page.locator("main tr.detail dl");
	for (const title of ["Account", "Currency"]) await rest.getByText(title, { exact: true }).waitFor();
	expect(await on.visitor.barriers()).toEqual([]);
	await row.getByRole("link").click();
	await page.waitForFunction(() => location.hash.startsWith("#/variance"));
});

test.each([
	["phone", 390, 44],
	["desk", 1280, 24],
])("all that is pressed is large enough on a %s", async (_, width, least) => {
	const { page } = on.visitor;
	await page.setViewportSize({ width, height: 844 });
	for (const screen of [
		"alerts?year=2026&period=3",
		"actuals",
		"trades?symbol=NBKI",
		"positions",
		"positions?symbol=NBKI&currency=USD&product=0",
		"reference",
		"reference?view=currencies",
		"reference?view=accounts",
		"quality",
		"status?details=shown",
		"api",
		"api?view=trading",
		"help",
	]) {
		await on.visitor.see(screen);
		expect(await smallTargets(page, least), screen).toEqual([]);
	}
	await page.evaluate(() =>
		document.querySelector("main")?.insertAdjacentHTML("afterbegin", "<div><a href='#/'>x</a></div>"),
	);
	expect(await smallTargets(page, least)).toHaveLength(1);
});
