import { expect, test } from "vitest";
import { stage } from "./stage.ts";

const on = stage();

interface Holding {
	symbol: string;
	currency_code: string;
	product: number;
	side: string;
	shares: number;
	trades: number;
}

test("a row of the positions opens its position with its trades, by mouse and by key, and Back returns to the row", async () => {
	const { page } = on.visitor;
	const { items } = await on.program.get<{ items: Holding[] }>("/api/v1/positions?currency=USD&open=true");
	await on.visitor.see("positions?sort=symbol&currency=USD");
	const long = items.filter(({ side }) => side === "long").sort((a, b) => a.symbol.localeCompare(b.symbol));
	const last = long.at(-1);
	if (!last) throw new Error("the demo holds nothing");
	const row = page.getByRole("grid", { name: "Long positions in USD" }).locator("tbody tr").last();
	const list = on.here();
	for (const open of [() => row.locator("td").nth(2).click(), () => row.locator("td").first().press("Enter")]) {
		await row.scrollIntoViewIfNeeded();
		const before = await page.evaluate(() => scrollY);
		await open();
		await on.visitor.settled();
		expect(on.here()).toContain(`symbol=${encodeURIComponent(last.symbol).replaceAll("%20", "+")}`);
		expect(on.here()).toContain(`product=${last.product}`);
		expect(await page.locator("h1").innerText()).toContain(last.symbol);
		expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
		expect(await page.evaluate(() => scrollY)).toBe(0);
		expect(await page.locator("main .answer").innerText()).toMatch(
			/^Long [\d,]+ at an average of .+ so the position is .+ (up|down); a (gain|loss) of .+ is realised\.$/,
		);
		const trades = page.getByRole("grid", { name: "Trades, the newest first" });
		expect(await trades.getAttribute("aria-rowcount")).toBe(String(last.trades + 1));
		await page.goBack();
		await on.visitor.settled();
		expect(on.here()).toBe(list);
		await expect.poll(() => page.evaluate(() => Math.abs(scrollY))).toBe(before);
		expect(await page.evaluate(() => document.activeElement?.closest("tr")?.textContent)).toContain(last.symbol);
	}
});

test("a symbol of the trades leads to its position, and a position without trades says so", async () => {
	const { page } = on.visitor;
	await on.visitor.see("trades?symbol=NBKI");
	await page.locator("main tbody td[data-field='symbol'] a").first().click();
	await on.visitor.settled();
	expect(on.here()).toMatch(/^#\/positions\?.*product=0/);
	await page.getByRole("link", { name: "All positions" }).click();
	await on.visitor.settled();
	expect(on.here()).toBe("#/positions");
	await on.visitor.see("positions?symbol=NOBODY&currency=USD&product=0");
	await page.getByText("there is no position").waitFor();
});

test.each([
	["en-US", /[\d,]+\.\d\d\b/],
	["de-DE", /[\d.]+,\d\d\b/],
	["sv-SE", /\d,\d\d\b/],
])("in %s a position fits a phone and a desk, and its figures are those of the locale", async (locale, figure) => {
	const context = await on.browser.newContext({ locale, timezoneId: "UTC" });
	const page = await context.newPage();
	for (const width of [1440, 800, 390]) {
		await page.setViewportSize({ width, height: 900 });
		await page.goto(`${on.program.origin}/#/positions?symbol=NBKI&currency=USD&product=0`);
		await page.locator("main tbody tr[data-row]").nth(3).waitFor();
		expect(await page.locator("main dl dd").first().innerText()).toMatch(/^Long /);
		expect(
			(await page.locator("main dl dd").allInnerTexts()).filter((text) => figure.test(text)).length,
		).toBeGreaterThan(4);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
		const chart = page.locator("main svg.prices");
		await chart.scrollIntoViewIfNeeded();
		expect(await chart.locator("circle").count()).toBe(await page.locator("main tbody tr[data-row]").count());
		const cut = await chart.locator("text").evaluateAll((all) =>
			all
				.filter((text) => {
					const [box, frame] = [text.getBoundingClientRect(), text.closest("svg")?.getBoundingClientRect()];
					return box.left < (frame?.left ?? 0) - 1 || box.right > (frame?.right ?? 0) + 1;
				})
				.map((text) => text.textContent),
		);
		expect(cut, `${width}`).toEqual([]);
	}
	await context.close();
});

test("on a desk the filters of the trades are a sentence whose words are menus", async () => {
	const { page } = on.visitor;
	await on.visitor.see("trades");
	const scope = page.getByRole("group", { name: "What is shown" });
	/** The sentence as it is seen. */
	const said = () =>
		scope.evaluate((group) => {
			const copy = group.cloneNode(true) as HTMLElement;
			for (const one of copy.querySelectorAll("select, [popover], .visually-hidden")) one.remove();
			return copy.textContent?.replace(/\s+/g, " ").replaceAll(" ,", ",").trim();
		});
	const first = "All trades of any symbol, in all currencies, any product, bought or sold, on any day, newest first";
	expect(await said()).toBe(first);
	await scope.getByRole("button", { name: "Symbol: any symbol" }).press("Enter");
	await page.locator("[popover] input:focus").waitFor();
	await page.keyboard.type("nbki");
	expect(await on.visitor.barriers()).toEqual([]);
	await page.keyboard.press("Enter");
	await scope.getByRole("button", { name: "Symbol: NBKI" }).waitFor();
	await scope.getByRole("combobox", { name: "Side" }).selectOption("Only sold");
	await scope.getByRole("combobox", { name: "Order" }).selectOption("By price, descending");
	await scope.getByRole("button", { name: "Days: on any day" }).click();
	await page.getByLabel("From").fill("2026-01-01");
	await page.keyboard.press("Escape");
	await scope.getByRole("button", { name: "Days: from 2026-01-01" }).waitFor();
	await on.visitor.settled();
	expect(await said()).toBe(
		"All trades of NBKI, in all currencies, any product, only sold, from 2026-01-01, by price, descending",
	);
	expect(on.here()).toBe("#/trades?symbol=NBKI&side=sell&sort=-price&from=2026-01-01");
	const prices = await page.locator("main tbody td[data-field='price']").allInnerTexts();
	expect(prices.length).toBeGreaterThan(5);
	expect([...prices].sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a))).toEqual(prices);
	await page.getByRole("link", { name: "Clear filters" }).click();
	await on.visitor.settled();
	expect(on.here()).toBe("#/trades?sort=-price");
});

test("the prices of a column have equally many decimals", async () => {
	for (const screen of ["trades", "positions"]) {
		await on.visitor.see(screen);
		const fields = screen === "trades" ? ["price"] : ["mark", "average_price"];
		for (const field of fields) {
			const table = on.visitor.page
				.locator("main table")
				.filter({ has: on.visitor.page.locator(`[data-field='${field}']`) });
			const texts = await table.first().locator(`td[data-field='${field}'] .figure`).allInnerTexts();
			expect(texts.length, field).toBeGreaterThan(5);
			expect(new Set(texts.map((text) => text.split(".")[1]?.length)).size, field).toBe(1);
		}
	}
});
