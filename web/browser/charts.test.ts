import { expect, test } from "vitest";
import { Decimal } from "../src/format/decimal.ts";
import { stage } from "./stage.ts";

const on = stage();

test("the periods of a year are one stop of the Tab key, say their figures, and lead to their variance", async () => {
	const { page } = on.visitor;
	await on.visitor.see("overview?year=2026&period=3");
	const drawing = page.locator(".year .drawing").first();
	const stops = drawing.locator("a[tabindex='0']");
	expect(await stops.count()).toBe(1);
	expect(await stops.getAttribute("aria-label")).toMatch(/^P03, Actual .*\d, Budget .*\d, Variance .*\d/);
	await stops.focus();
	await page.keyboard.press("ArrowRight");
	expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(
		/^P04, Actual –, Budget/,
	);
	expect(await drawing.locator(".tip").innerText()).toContain("P04");
	await page.keyboard.press("End");
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("Enter");
	await page.waitForURL(/variance/);
	expect(on.here()).toContain("period=12");
});

test("a year is shown by period, or to date by choice, and the address has the choice", async () => {
	const { page } = on.visitor;
	await on.visitor.see("overview?year=2026&period=6&table=USD");
	const row = () => page.locator(".year .behind").first().locator("tbody tr").nth(5).innerText();
	const cells = (await row()).split("\t");
	const control = page.getByRole("link", { name: "Cumulative" }).first();
	await control.click();
	expect(on.here()).toContain("chart=cumulative");
	expect(await row()).toBe(cells.join("\t"));
	await on.visitor.see("overview?year=2026&period=6&chart=cumulative");
	const spoken = await page.locator(".year .drawing a").nth(5).getAttribute("aria-label");
	expect(spoken).toContain(`Actual to date ${cells[4]}`);
	expect(await page.locator(".year figcaption .title").first().innerText()).toContain("to date");
});

test("a period that dwarfs the others is cut, marked, and told with its figures", async () => {
	const { page } = on.visitor;
	const line = { department_id: 1, gl_account_id: 1, fiscal_year: 2030, currency: "NOK" };
	for (let period = 1; period <= 12; period++)
		await on.program.post("/api/v1/budget/create", {
			...line,
			fiscal_period: period,
			amount: period === 12 ? 680_000 : 10_000 + period,
		});
	await on.visitor.see("overview?year=2030&period=12&currency=NOK");
	const drawing = page.locator(".year .drawing");
	expect(await drawing.locator("svg path.break").count()).toBe(1);
	expect(await drawing.locator(".cut").innerText()).toBe(
		"The column with the double mark is longer than drawn: P12, actual –, budget 680,000.",
	);
	await on.visitor.see("overview?year=2030&period=12&currency=NOK&chart=cumulative");
	expect(await drawing.locator(".cut").innerText()).toContain("P12, actual –, budget 790,066.");
	await on.visitor.see("overview?year=2026&period=6&currency=USD");
	expect(await drawing.locator(".break, .cut").count()).toBe(0);
});

test("a waterfall says where its axis is broken, and nothing of it is cut on a phone", async () => {
	const { page } = on.visitor;
	for (const [width, order] of [
		[1440, ""],
		[390, "size"],
	] as const) {
		await page.setViewportSize({ width, height: 900 });
		await on.visitor.see(`variance?year=2026&period=6&span=year_to_date&view=waterfall&order=${order}`);
		const cut = await page
			.locator("main table.waterfall :is(tbody th, .value, .bar, tr .break, .sofar .figure)")
			.evaluateAll((all) =>
				all
					.filter((one) => {
						const { left, right } = one.getBoundingClientRect();
						return left < 0 || right > innerWidth || (one.tagName === "TH" && one.scrollWidth > one.clientWidth);
					})
					.map((one) => one.textContent),
			);
		expect(cut, `${width} ${order}`).toEqual([]);
		// The axis stays in view, below the head of a phone.
		const axis = page.locator("main table.waterfall thead").first();
		await page
			.locator("main table.waterfall tbody tr")
			.nth(9)
			.evaluate((row) => row.scrollIntoView({ block: "center" }));
		const { x = 0, y = 0, height = 0 } = (await axis.boundingBox()) ?? {};
		expect(y, `${width}`).toBeGreaterThanOrEqual(0);
		const covered = await page.evaluate(
			([x, y]) => !document.elementFromPoint(x ?? 0, y ?? 0)?.closest("thead"),
			[x + 40, y + height / 2],
		);
		expect(covered, `${width}`).toBe(false);
		await page.evaluate(() => scrollTo(0, 0));
		const walks = await page.locator("main .walk").evaluateAll((all) =>
			all.map((walk) => ({
				said: /Axis broken between 0 and/.test(walk.textContent ?? ""),
				marks: walk.querySelectorAll("tr .break").length,
				results: walk.querySelectorAll("tr.result").length,
			})),
		);
		expect(walks.length).toBeGreaterThan(0);
		for (const { said, marks, results } of walks) expect(marks).toBe(said ? results : 0);
	}
	await page.setViewportSize({ width: 1440, height: 900 });
	expect(await page.locator("main .answer").first().innerText()).toMatch(
		/^From [\d,.()]+ budgeted to [\d,.()]+ reached: .+ (worse|better), .+ (worse|better) and \d+ others [\d,.]+ (worse|better)\.$/,
	);
	await on.visitor.see("variance?year=2026&period=6&view=waterfall&drivers=department");
	expect(await page.getByRole("group", { name: "Order" }).getByRole("link").allInnerTexts()).toEqual([
		"By code",
		"By size",
	]);
});

test("a heat map has the accounts by type, the worst first; its rows and sums add up, and its sums have no colour", async () => {
	const { page } = on.visitor;
	for (const columns of ["", "period"]) {
		await on.visitor.see(`variance?year=2026&period=6&view=heatmap&currency=USD&columns=${columns}`);
		const groups = await page.locator("main .frame tbody").evaluateAll((all) =>
			all.map((group) => ({
				title: group.querySelector(".title")?.textContent?.trim() ?? "",
				rows: [...group.querySelectorAll("tr:not(.title)")].map((row) => ({
					total: row.classList.contains("total"),
					cells: [...row.querySelectorAll("td")].map((cell) => ({
						raw: cell.querySelector("a")?.getAttribute("data-raw") ?? "0",
						sum: cell.classList.contains("sum"),
						heat: cell.hasAttribute("data-heat"),
					})),
				})),
			})),
		);
		expect(groups.map(({ title }) => title)).toEqual([
			"Revenue",
			"Cost of goods sold",
			"Operating expenses",
			"Headcount costs",
			...(groups.length > 5 ? ["Capital expenditure"] : []),
			"",
		]);
		const sum = (raws: string[]) => Decimal.sum(raws.map((raw) => Decimal.of(raw)));
		const lasts: string[][] = [];
		for (const { title, rows } of groups) {
			for (const { cells } of rows) {
				expect(sum(cells.slice(0, -1).map(({ raw }) => raw)).compare(Decimal.of(cells.at(-1)?.raw ?? "0"))).toBe(0);
				expect(cells.filter(({ sum, heat }) => sum && heat)).toEqual([]);
			}
			const accounts = rows.filter(({ total }) => !total).map(({ cells }) => cells.map(({ raw }) => raw));
			for (const [i, account] of accounts.entries())
				if (i > 0)
					expect(Decimal.of(account.at(-1) ?? "0").compare(Decimal.of(accounts[i - 1]?.at(-1) ?? "0")), title).not.toBe(
						-1,
					);
			const last = rows.at(-1)?.cells.map(({ raw }) => raw) ?? [];
			const added = title ? accounts : lasts;
			for (const [c, raw] of last.entries())
				expect(sum(added.map((row) => row[c] ?? "0")).compare(Decimal.of(raw)), `${title} ${c}`).toBe(0);
			lasts.push(last);
		}
	}
	// A map that does not fit scrolls in its own box, beside its names, and ends with a whole column.
	for (const width of [1100, 800, 390]) {
		await page.setViewportSize({ width, height: 900 });
		await on.visitor.see("variance?year=2026&period=6&view=heatmap&currency=USD&columns=period&unit=exact");
		const frame = page.locator("main .frame").first();
		const cut = () =>
			frame.evaluate((box) => {
				const { right } = box.getBoundingClientRect();
				const heads = [...box.querySelectorAll("thead th")].map((head) => head.getBoundingClientRect());
				return heads.filter((head) => head.left < right - 2 && head.right > right + 1).length;
			});
		expect(await cut(), `${width}`).toBe(0);
		const name = frame.locator("tbody th").first();
		const before = (await name.boundingBox())?.x;
		await frame.evaluate((box) => box.scrollTo(box.scrollWidth, 0));
		expect(Math.abs(((await name.boundingBox())?.x ?? 0) - (before ?? 0))).toBeLessThanOrEqual(1); // the space between cells
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
		const names = await frame
			.locator("tbody th")
			.evaluateAll((all) => all.filter((th) => th.scrollWidth > th.clientWidth + 1));
		expect(names).toEqual([]);
	}
	await page.setViewportSize({ width: 1440, height: 900 });
	await on.visitor.see("variance?year=2026&period=6&view=heatmap&currency=USD&cells=percent");
	expect(await page.locator("main .answer").innerText()).toMatch(
		/^Of \d+ departments \d+ came out (worse|better) than budget .*; farthest off are .+ \(.+\), .+ (worse|better), and .+ (worse|better)\.$/,
	);
	expect(await page.locator("main .frame td.sum a").last().innerText()).toMatch(/^\(?\d+\.\d\)?$/);
});

test("no name is cut in the treemap and the bars of positions: it is whole, or stands below", async () => {
	const { page } = on.visitor;
	for (const width of [1440, 390]) {
		await page.setViewportSize({ width, height: 900 });
		await on.visitor.see("positions");
		const tiles = page.locator("main .map a");
		await tiles.first().waitFor();
		const cut = await page.locator("main :is(.map a > span:not(.visually-hidden), .bars th)").evaluateAll((all) =>
			all
				.filter((one) => {
					const box = (one.closest("a, tr") ?? one).getBoundingClientRect();
					return one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().bottom > box.bottom + 1;
				})
				.map((one) => one.textContent),
		);
		expect(cut, `${width}`).toEqual([]);
		expect(await page.locator("main .map .name").count()).toBeGreaterThan(5);
		const unnamed = page.locator("main .map a:has(> .visually-hidden) > .visually-hidden");
		expect(await page.locator("main .unnamed a").allTextContents()).toEqual(await unnamed.allTextContents());
	}
	await page.setViewportSize({ width: 1440, height: 900 });
});
