import { expect, test } from "vitest";
import { Program } from "./program.ts";
import { stage } from "./stage.ts";
import { Visitor } from "./visitor.ts";

const on = stage();

test("a screen prints, without what only leads around it", async () => {
	await on.visitor.see("variance?year=2026&period=3");
	const pdf = await on.visitor.page.pdf({ preferCSSPageSize: true });
	expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
	const box = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString("latin1"));
	expect(Number(box?.[1])).toBeGreaterThan(Number(box?.[2])); // landscape
	await on.visitor.page.emulateMedia({ media: "print" });
	expect(await on.visitor.page.locator("nav").first().isVisible()).toBe(false);
});

test("a long list prints its beginning, and says so; a chart that nobody scrolled to prints too", async () => {
	const { page } = on.visitor;
	await on.visitor.see("trades");
	const trades = await on.program.get<unknown[]>("/trade/list");
	const all = new RegExp(`^${trades.length.toLocaleString("en-GB")} trades`);
	const count = page.locator("main output");
	for (let i = 0; i < 40 && !all.test(await count.innerText()); i++) {
		await page.locator("main .frame").evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
		await page.waitForTimeout(100);
	}
	await page.emulateMedia({ media: "print" });
	const left = page.getByText("Filter the list to print the others");
	await left.waitFor();
	expect(await left.innerText()).toBe(
		`1,000 of ${trades.length.toLocaleString("en-GB")} rows. Filter the list to print the others.`,
	);
	expect(await page.locator("main tbody tr[data-row]").count()).toBe(1000);
	await page.emulateMedia({ media: "screen" });
	await page.waitForFunction(() => document.querySelectorAll("main tbody tr[data-row]").length < 100);

	await on.visitor.see("positions");
	const unseen = page.locator(".chart .drawing").last();
	expect(await unseen.evaluate((drawing) => drawing.getBoundingClientRect().top > innerHeight)).toBe(true);
	await unseen.locator("a").first().waitFor({ state: "attached" });
});

test("a sheet repeats every title of a table, holds all of its columns, and scales the charts", async () => {
	const { page } = on.visitor;
	const wide = async (name: string) => {
		const within = await page.locator("main").evaluate((main) => main.getBoundingClientRect().right + 1);
		const beyond = await page.locator(name).evaluateAll((all, end) => {
			return all.filter((one) => one.getBoundingClientRect().right > end).map((one) => one.textContent);
		}, within);
		expect(beyond, name).toEqual([]);
	};
	const paper = async (screen: string) => {
		await page.setViewportSize({ width: 1920, height: 900 });
		await on.visitor.see(screen);
		await page.emulateMedia({ media: "print" });
		await page.setViewportSize({ width: 1000, height: 700 });
	};
	await paper("overview?year=2026&period=3");
	await wide("main :is(th, td)");
	await wide("main .drawing svg");
	const drawn = await page.locator("main .drawing svg").first().getAttribute("viewBox");
	expect(Number(drawn?.split(" ")[2])).toBeGreaterThan(300);
	await page.emulateMedia({ media: "screen" });
	for (const screen of ["positions", "trades?from=2026-05-01", "actuals?year=2026&period=3"]) {
		await paper(screen);
		await wide("main :is(th, td)");
		// Chromium prints no buttons in a repeated head.
		const titles = await page
			.locator("main thead button")
			.evaluateAll((all) => all.map((b) => getComputedStyle(b).display));
		expect(new Set(titles), screen).toEqual(new Set(["contents"]));
		await page.emulateMedia({ media: "screen" });
	}
	await page.setViewportSize({ width: 1440, height: 900 });
});

test("no label of a chart runs into another, however narrow it is", async () => {
	const { page } = on.visitor;
	await on.visitor.see("overview?year=2025&period=12&unit=thousands");
	for (const width of [1440, 1366, 820, 390]) {
		await page.setViewportSize({ width, height: 900 });
		await on.visitor.settled();
		const drawings = page.locator("main .year .drawing");
		const charts = (await drawings.evaluateAll((all) =>
			all.map((drawing) =>
				[...drawing.querySelectorAll("svg text")].map((text) => [
					text.textContent,
					text.getBoundingClientRect(),
					text.classList.contains("off"),
				]),
			),
		)) as [string, DOMRect, boolean][][];
		const end = await drawings.first().evaluate((drawing) => drawing.getBoundingClientRect().right);
		expect(charts.length).toBe(2);
		for (const labels of charts) {
			expect(labels.filter(([, , off]) => off).length, `${width}`).toBeGreaterThan(width < 1000 ? 3 : 10);
			const met = labels.flatMap(([text, a], i) =>
				labels
					.slice(i + 1)
					.filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
					.map(([other]) => `${text} ${other}`),
			);
			expect(met, `${width}`).toEqual([]);
			expect(
				labels.filter(([, { right }]) => right > end).map(([text]) => text),
				`${width}`,
			).toEqual([]);
		}
	}
});

test("amounts of 14 digits push nothing off the overview", async () => {
	const rich = await new Program().demo().start();
	const departments = await rich.get<{ id: number }[]>("/api/v1/department/list");
	const accounts = await rich.get<{ id: number; type: string }[]>("/api/v1/gl-accounts");
	const [revenue, unposted, unbudgeted] = accounts.filter(({ type }) => type === "revenue");
	// A department has one line of an account in a currency; a new year has none yet.
	const key = { gl_account_id: revenue?.id, fiscal_year: 2027, fiscal_period: 1, currency: "USD" };
	for (const { id } of departments.slice(0, 5)) {
		await rich.post("/api/v1/budget/create", { ...key, department_id: id, amount: "12345678901234.56" });
		const posted = { ...key, department_id: id, amount: "3456789012345.67", source: "erp" };
		await rich.post("/api/v1/actuals/ingest", posted);
		// A missing side is named by a word.
		await rich.post("/api/v1/actuals/ingest", { ...posted, gl_account_id: unbudgeted?.id, currency: "EUR" });
		const budgeted = { ...key, gl_account_id: unposted?.id, currency: "GBP", amount: "12345678901234.56" };
		await rich.post("/api/v1/budget/create", { ...budgeted, department_id: id });
	}
	await rich.buy({ symbol: "RICH", currency_code: "USD", shares: 1_000_000, price: "12345678.9" });
	const guest = await Visitor.of(on.browser, rich.origin);
	for (const width of [1440, 1366, 1280, 1120, 1101, 1001, 1000, 900, 801, 800, 641, 640, 390]) {
		await guest.page.setViewportSize({ width, height: 900 });
		// Between the widest and the narrowest the reader resizes the window.
		if (width === 1440 || width === 390) await guest.see("overview?year=2027&period=1&unit=exact");
		else await guest.settled();
		for (const amount of ["61,728,394,506,172.80", "(44,444,449,444,444.45)"])
			expect(await guest.page.getByText(amount).count(), amount).toBeGreaterThan(0);
		const over = await guest.page
			.locator("html, main .part, main .held, main .drivers")
			.evaluateAll((all) => all.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className));
		expect(over, `${width}`).toEqual([]);
	}
	expect(guest.complaints).toEqual([]);
	await guest.end();
	await rich.end();
});

test("no bar lies over a figure, and a heat map on paper has every department on the sheet", async () => {
	const large = await new Program().start();
	const month = { fiscal_year: 2026, fiscal_period: 1, currency: "EUR" };
	for (const [code, type] of [
		["4000", "revenue"],
		["6000", "opex"],
	])
		await large.post("/api/v1/gl-accounts", { code, description: `Account ${code}`, type });
	const codes = Array.from({ length: 40 }, (_, i) => `DEP${String(i).padStart(2, "0")}`);
	for (const [i, code] of codes.entries()) {
		await large.post("/api/v1/department/create", { code, name: `Department ${i}` });
		for (const account of [1, 2]) {
			const line = { ...month, department_id: i + 1, gl_account_id: account };
			for (const version of ["original", "forecast1"])
				await large.post("/api/v1/budget/create", { ...line, version, amount: 123_456_789 });
			await large.post("/api/v1/actuals/ingest", { ...line, amount: 223_456_789 - i * 1000, source: "erp" });
		}
	}
	await large.buy({ symbol: "LOSS", price: 1_234_567, shares: 100 });
	await large.buy({ symbol: "LOSS", price: 1, shares: 1 });
	await large.buy({ symbol: "GAIN", price: 1_234_567, shares: 100 });
	await large.buy({ symbol: "GAIN", price: 2_345_678, shares: 1 });
	const guest = await Visitor.of(on.browser, large.origin);
	const { page } = guest;
	for (const screen of [
		"variance?year=2026&period=1&view=waterfall&dept=DEP01",
		"variance?year=2026&period=1&view=waterfall&dept=DEP01&against=forecast1",
		"positions",
	]) {
		await guest.see(screen);
		for (const width of [1440, 801, 600, 360]) {
			await page.setViewportSize({ width, height: 900 });
			await guest.settled();
			const [rows, covered] = await page.locator("main :is(table.waterfall, table.bars) tr").evaluateAll((all) => {
				const drawn = all.filter((row) => row.querySelector(".bar"));
				const over = drawn.filter((row) => {
					const bar = row.querySelector(".bar")?.getBoundingClientRect() ?? new DOMRect();
					return [...row.querySelectorAll(".figure")].some((figure) => {
						const text = document.createRange();
						text.selectNodeContents(figure);
						const box = text.getBoundingClientRect();
						return bar.left < box.right && box.left < bar.right && bar.top < box.bottom && box.top < bar.bottom;
					});
				});
				return [drawn.length, over.map((row) => row.textContent)] as const;
			});
			expect(rows, screen).toBeGreaterThan(1);
			expect(covered, `${screen} ${width}`).toEqual([]);
		}
	}
	// On paper no box cuts off its content.
	await page.emulateMedia({ media: "print" });
	for (const screen of [
		"variance?year=2026&period=1&line=6000&against=forecast1",
		"variance?year=2026&period=1&view=waterfall&against=forecast1",
		"overview?year=2026&period=1&table=EUR",
		"positions?table=EUR",
		"quality",
	]) {
		await guest.see(screen);
		const cut = await page.locator("main *").evaluateAll((all) =>
			all
				.filter((box) => /auto|scroll/.test(getComputedStyle(box).overflow))
				.filter((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
				.map((box) => box.className),
		);
		expect(cut, screen).toEqual([]);
	}
	await page.emulateMedia({ media: "screen" });
	await page.setViewportSize({ width: 965, height: 700 }); // landscape letter paper, less its margins
	await guest.see("variance?year=2026&period=1&view=heatmap&departments=all");
	await page.emulateMedia({ media: "print" });
	await page.locator("main .frame table").nth(1).waitFor();
	const sheet = await page.locator("main").evaluate((main) => main.getBoundingClientRect().right + 1);
	const heads = await page
		.locator("main .frame thead th")
		.evaluateAll((all) => all.map((th) => [th.textContent ?? "", th.getBoundingClientRect().right] as const));
	expect(heads.map(([code]) => code)).toEqual([...codes, "All"]);
	expect(heads.filter(([, right]) => right > sheet)).toEqual([]);
	expect(await page.locator("main .frame td:not(.sum) a[data-raw]").count()).toBe(80);
	expect(guest.complaints).toEqual([]);
	await guest.end();
	await large.end();
});

test("on a phone nothing is wider than the screen", async () => {
	await on.visitor.page.setViewportSize({ width: 390, height: 800 });
	for (const screen of ["overview?year=2026&period=3", "alerts?year=2026&period=3"]) {
		await on.visitor.see(screen);
		expect(await on.visitor.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
	}
	// Nor does a list make the page longer than the frame in which it scrolls.
	await on.visitor.see("alerts?year=2026&period=3&threshold=0");
	expect(await on.visitor.page.locator("main tbody tr").count()).toBeGreaterThan(20);
	expect(await on.visitor.page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1000);
});

test("the totals of a list leave its rows in view: where they are many, they follow the last row", async () => {
	const { page } = on.visitor;
	const before = page.viewportSize();
	await page.setViewportSize({ width: 1280, height: 600 });
	const { items } = await on.program.get<{ items: { date: string }[] }>("/api/v1/trades?sort=-date&limit=150");
	const from = items.at(-1)?.date.slice(0, 10);
	await on.visitor.see(`trades?from=${from}`);
	const foot = page.locator("main tfoot");
	await foot.waitFor();
	const places = await foot.evaluate((totals) => {
		const frame = totals.closest(".frame")?.getBoundingClientRect();
		const head = totals.closest("table")?.tHead?.getBoundingClientRect();
		const rows = [...document.querySelectorAll("main tbody tr[data-row]")].map((row) => row.getBoundingClientRect());
		const top = Math.min(totals.getBoundingClientRect().top, frame?.bottom ?? 0);
		return {
			totals: totals.getBoundingClientRect().height / (frame?.height ?? 1),
			rows: rows.filter((row) => row.top >= (head?.bottom ?? 0) - 1 && row.bottom <= top + 1).length,
		};
	});
	expect(places.totals).toBeGreaterThan(0.25);
	expect(places.rows).toBeGreaterThan(5);
	if (before) await page.setViewportSize(before);
});
