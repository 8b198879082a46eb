import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Program } from "./program.ts";
import { open, Visitor } from "./visitor.ts";

let browser: Browser;
let program: Program;
let visitor: Visitor;
beforeAll(async () => {
	[browser, program] = await Promise.all([open(), new Program().demo().start()]);
});
afterAll(async () => {
	await browser?.close();
	await program?.end();
});
beforeEach(async () => {
	visitor = await Visitor.of(browser, program.origin);
});
afterEach(async () => {
	expect(visitor.complaints).toEqual([]);
	await visitor.end();
});

const here = () => new URL(visitor.page.url()).hash;

test("an address is a screen, a filter is an address, and back is back", async () => {
	await visitor.see("alerts?year=2026&period=3");
	const before = await visitor.page.locator("main").innerText();
	await visitor.page.keyboard.press("]");
	await visitor.settled();
	expect(here()).toContain("period=4");
	const after = await visitor.page.locator("main").innerText();
	expect(after).not.toBe(before);
	await visitor.page.goBack();
	await visitor.settled();
	expect(here()).toContain("period=3");
	expect(await visitor.page.locator("main").innerText()).toBe(before);
	await visitor.see(here().replace("#/", ""));
	expect(await visitor.page.locator("main").innerText()).toBe(before);
});

test("the palette leads to a department by its code", async () => {
	await visitor.see("alerts?year=2026&period=3");
	const [department] = await program.get<{ code: string; name: string }[]>("/api/v1/department/list");
	if (!department) throw new Error("the demo has no department");
	await visitor.page.keyboard.press("Control+k");
	await visitor.page.keyboard.type(department.code);
	await visitor.page.keyboard.press("Enter");
	await visitor.settled();
	expect(here()).toContain(`dept=${department.code}`);
});

test("a server that goes away and comes back is survived", async () => {
	await visitor.see("status");
	await program.stop();
	await visitor.page
		.getByText(/does not answer/)
		.first()
		.waitFor();
	await program.start();
	await visitor.page.waitForFunction(() => !/does not answer/.test(document.body.innerText), undefined, {
		timeout: 60_000,
	});
	visitor.complaints.length = 0; // the browser tells of each request that was not answered
});

test("what another client stores is seen without a reload", async () => {
	await visitor.see("trades");
	await program.post("/trade/add", {
		symbol: "SEENLIVE",
		currency_code: "EUR",
		shares: 1,
		product: 0,
		price: 1,
		type: true,
	});
	await visitor.page.getByText("SEENLIVE").first().waitFor();
});

test("what changes before the page is told of changes is seen as well", async () => {
	let tell = () => {};
	const told = new Promise<void>((resolve) => {
		tell = resolve;
	});
	await visitor.page.route("**/api/v1/events", async (route) => {
		await told;
		await route.continue();
	});
	await visitor.see("trades");
	await program.post("/trade/add", {
		symbol: "SEENBEFORE",
		currency_code: "EUR",
		shares: 1,
		product: 0,
		price: 1,
		type: true,
	});
	tell();
	await visitor.page.getByText("SEENBEFORE").first().waitFor();
});

test("a list that is longer than what was read is sorted by the server, under an address", async () => {
	await visitor.see("trades");
	const { page } = visitor;
	const head = page.getByRole("columnheader", { name: "Price" });
	const order = () => head.getAttribute("aria-sort");
	const begins = async (sort: string) => {
		const { items } = await program.get<{ items: { id: number }[] }>(`/api/v1/trades?limit=10&sort=${sort}`);
		await visitor.settled();
		const ids = page.locator("tbody tr[data-row] > [data-column='1']");
		return [items.map(({ id }) => String(id)), (await ids.allInnerTexts()).slice(0, 10)];
	};
	const [newest, shown] = await begins("-id");
	expect([shown, await order()]).toEqual([newest, "none"]);
	await page.getByText(/The newest 500/).waitFor();
	for (const [sort, direction] of [
		["price", "ascending"],
		["-price", "descending"],
	] as const) {
		await head.getByRole("button").click();
		const [wanted, got] = await begins(sort);
		expect([got, await order()]).toEqual([wanted, direction]);
		expect(here()).toContain(`sort=${sort}`);
		expect(await page.locator("caption").innerText()).toBe(`Trades, sorted by Price, ${direction}`);
		await page.getByText(/The first 500 in this order/).waitFor();
	}
	await visitor.see(here().replace("#/", ""));
	const [wanted, got] = await begins("-price");
	expect(got).toEqual(wanted);
	await visitor.see("actuals?sort=gl_code");
	expect(await page.locator("caption").innerText()).toBe("Actuals, sorted by Account, ascending");
});

test("the order of every table is in the address, of those within a screen too", async () => {
	const { page } = visitor;
	const company = (await program.get<{ items: { id: number; revenues: number }[] }>("/api/v1/companies")).items.find(
		({ revenues }) => revenues > 2,
	);
	const month = "variance?year=2026&period=3&span=year_to_date&dept=SAL&line=6300";
	for (const [screen, table, column, name] of [
		["positions?closed=shown", "Closed positions", "Trades", "closed_sort=-trades"],
		[`reference?open=${company?.id}`, /^Revenue of/, "Amount", "revenues_sort=-amount"],
		[month, /^Actuals of/, "Amount", "actuals_sort=-amount"],
		[month, /^Budget lines of/, "Amount", "budgets_sort=-amount"],
	] as const) {
		await visitor.see(screen);
		const clean = here();
		const grid = page.getByRole("grid", { name: table });
		const head = grid.getByRole("columnheader", { name: column });
		const rows = async () => [await head.getAttribute("aria-sort"), await grid.locator("tbody").innerText()];
		const [, usual] = await rows();
		for (const _ of ["up", "down"]) await head.getByRole("button").click();
		const sorted = await rows();
		expect([sorted[0], here()]).toEqual(["descending", `${clean}&${name}`]);
		expect(sorted[1]).not.toBe(usual);
		await visitor.see(here().replace("#/", ""));
		expect(await rows()).toEqual(sorted);
		await head.getByRole("button").click();
		expect([await rows(), here()]).toEqual([["none", usual], clean]);
	}
});

test("what an address says instead of a number is quoted where it is refused", async () => {
	const { page } = visitor;
	for (const screen of [
		"overview?year=abc",
		"variance?year=abc",
		"variance?year=abc&period=3",
		"variance?year=2026&period=abc&line=6300",
		"alerts?year=abc&period=3",
		"actuals?year=2026&period=abc",
		"trades?product=abc",
	]) {
		await visitor.see(screen);
		await page.getByText('"abc"').first().waitFor();
		expect(await page.locator("body").innerText()).not.toContain("NaN");
	}
	// The bar leads out of what it would never have led into.
	const sound = (await program.get<{ fiscal_year: number }>("/api/v1/overview")).fiscal_year;
	for (const [screen, filter] of [
		["overview?period=13", "Period"],
		["overview?year=abc", "Year"],
		["variance?year=abc&period=3", "Year"],
	] as const) {
		await visitor.see(screen);
		await page.getByRole("combobox", { name: filter }).selectOption("Newest");
		await visitor.settled();
		expect(await page.locator("main .figure").count(), screen).toBeGreaterThan(0);
		expect(await page.getByRole("combobox", { name: "Year" }).inputValue(), screen).toBe(String(sound));
	}
	visitor.complaints.length = 0; // the browser tells of each request that was refused
});

test("a step that is come back to is where the reader stood, unless they move first", async () => {
	const { page } = visitor;
	const stands = () => page.evaluate(() => Math.round(scrollY));
	const scroll = async (to: number) => {
		await page.evaluate((to) => scrollTo(0, to), to);
		expect(await stands()).toBe(to);
	};
	const back = async () => {
		await page.goBack();
		await visitor.settled();
	};
	// What a screen shows comes late, as over a network, or not before it is let through.
	let through = Promise.resolve();
	const held = () => {
		let release = () => {};
		through = new Promise((resolve) => {
			release = resolve;
		});
		return () => release();
	};
	await page.route("**/api/v1/**", async (route) => {
		await new Promise((resolve) => setTimeout(resolve, 150));
		await through;
		await route.fallback();
	});
	await visitor.see("overview?year=2026&period=3");
	await scroll(700);
	await page.getByRole("link", { name: "Variance", exact: true }).click();
	await visitor.settled();
	expect(await stands()).toBe(0);
	await scroll(400);
	// A line, opened by its link, begins at its top; the statement is where it was.
	await page.locator("a[data-line]").last().dispatchEvent("click"); // without being scrolled to
	await visitor.settled();
	expect([here().includes("line="), await stands()]).toEqual([true, 0]);
	await scroll(500);
	await back();
	expect([here().includes("line="), await stands()]).toEqual([false, 400]);
	await page.goForward();
	await visitor.settled();
	expect([here().includes("line="), await stands()]).toEqual([true, 500]);
	await page.reload();
	await visitor.settled();
	expect(await stands()).toBe(500);
	// A step that is left before anything is seen of it is not forgotten.
	await page.getByRole("link", { name: "Status", exact: true }).click();
	await visitor.settled();
	expect(await stands()).toBe(0);
	const shown = held();
	await page.goBack();
	expect([here().includes("line="), await stands()]).toEqual([true, 0]);
	shown();
	await back();
	expect([here().includes("line="), await stands()]).toEqual([false, 400]);
	await page.goForward();
	await visitor.settled();
	expect([here().includes("line="), await stands()]).toEqual([true, 500]);
	await page.goBack();
	await back();
	expect([here().includes("overview"), await stands()]).toEqual([true, 700]);
	// What comes late does not carry off who scrolled meanwhile.
	await page.getByRole("link", { name: "Status", exact: true }).dispatchEvent("click");
	await visitor.settled();
	const late = held();
	await page.goBack();
	await page.mouse.move(700, 500);
	await page.mouse.wheel(0, 60);
	late();
	await visitor.settled();
	expect([here().includes("overview"), (await stands()) < 200]).toEqual([true, true]);
	// A press that moves nothing ends the way back, not what is known of where it led.
	await scroll(600);
	const pressed = held();
	await page.reload();
	await page.keyboard.press("Shift");
	pressed();
	await visitor.settled();
	await page.reload();
	await visitor.settled();
	expect(await stands()).toBe(600);
	// What another page of the same origin keeps under the name is none of ours.
	await page.addInitScript(() => location.protocol === "http:" && sessionStorage.setItem("daybook.steps", "5"));
	await visitor.see("overview");
});

test("a screen prints, without what only leads around it", async () => {
	await visitor.see("variance?year=2026&period=3");
	const pdf = await visitor.page.pdf({ preferCSSPageSize: true });
	expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
	const box = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString("latin1"));
	expect(Number(box?.[1])).toBeGreaterThan(Number(box?.[2])); // landscape
	await visitor.page.emulateMedia({ media: "print" });
	expect(await visitor.page.locator("nav").first().isVisible()).toBe(false);
});

test("a figure of the overview leads to its source records in three clicks", async () => {
	await visitor.see("overview?year=2026&period=3");
	const { page } = visitor;
	await page.getByRole("link", { name: "Legal settlements" }).first().click();
	await visitor.settled();
	expect(here()).toContain("line=6490");
	const actuals = await program.get<{ items: { id: number }[] }>(
		"/api/v1/actuals?fiscal_year=2026&fiscal_period=3&dept=FIN&gl_code=6490",
	);
	const [record] = actuals.items;
	if (!record) throw new Error("the demo has no such actual");
	await page.getByText(String(record.id), { exact: true }).first().waitFor();
});

test("what is opened is in the address, on loading and on coming back", async () => {
	const { page } = visitor;
	const opened = () => page.locator("main button[aria-expanded=true]").count();
	await visitor.see("trades");
	const symbol = await page.locator("main tbody td[data-column='5']").nth(2).innerText();
	for (const nth of [2, 5]) await page.locator("main tbody button[aria-expanded]").nth(nth).click();
	await visitor.settled();
	expect(await opened()).toBe(2);
	const address = here();
	expect(address).toMatch(/open=\d+,\d+/);
	await page.getByRole("link", { name: symbol, exact: true }).first().click();
	await visitor.settled();
	expect(here()).toContain("positions");
	await page.goBack();
	await visitor.settled();
	expect([here(), await opened()]).toEqual([address, 2]);
	await visitor.see(address.replace("#/", ""));
	expect(await opened()).toBe(2);
	// What was opened by a row is read anew by none: the list stays where it was scrolled.
	let asked = 0;
	page.on("request", (request) => {
		if (/\/trades\?/.test(request.url())) asked++;
	});
	await page.locator("main tbody button[aria-expanded=false]").first().click();
	await visitor.settled();
	expect([await opened(), asked]).toEqual([3, 0]);
});

test("the table behind a chart is in the address", async () => {
	const { page } = visitor;
	await visitor.see("overview?year=2026&period=3");
	const press = page.getByRole("button", { name: /^Table: USD to date/ });
	await press.click();
	expect(here()).toContain("table=USD");
	const shown = () => page.getByRole("region", { name: /^USD to date/ }).locator("tbody tr");
	expect(await shown().count()).toBe(12);
	await visitor.see(here().replace("#/", ""));
	expect(await shown().count()).toBe(12);
	await press.click();
	expect(here()).not.toContain("table");
});

test("a slider writes the address when it rests, not while it moves", async () => {
	const { page } = visitor;
	await visitor.see("alerts?year=2026&period=3");
	const wrote = await page.evaluate(() => {
		const slider = document.querySelector<HTMLInputElement>("main input[type=range]");
		if (!slider) throw new Error("there is no slider");
		let times = 0;
		const replace = history.replaceState.bind(history);
		history.replaceState = (...said) => {
			times++;
			replace(...said);
		};
		for (let percent = 11; percent < 60; percent++) {
			slider.value = String(percent);
			slider.dispatchEvent(new Event("input", { bubbles: true }));
		}
		const moving = times;
		slider.dispatchEvent(new Event("change", { bubbles: true }));
		return [moving, times];
	});
	expect(wrote).toEqual([0, 1]);
	expect(here()).toContain("threshold=59");
});

test("a subtotal leads to its lines, and those to their records", async () => {
	const { page } = visitor;
	await visitor.see("variance?year=2026&period=3&currency=USD");
	await page.locator("tr.subtotal").nth(2).getByRole("link").first().click();
	await visitor.settled();
	expect(here()).toContain("type=opex");
	expect(await page.locator("tr.section").allInnerTexts()).toEqual(["Operating expenses"]);
	expect(await page.locator("tr.total").count()).toBe(0);
	await page.getByRole("link", { name: "Legal settlements" }).first().click();
	await visitor.settled();
	expect(await page.getByRole("heading", { name: "Actuals" }).count()).toBe(1);
});

test("currencies come in one order on every screen", async () => {
	const { page } = visitor;
	const order = async (screen: string) => {
		await visitor.see(screen);
		const heads = await page.locator("main h2").allInnerTexts();
		return heads.map((head) => head.slice(0, 3)).filter((head) => ["USD", "GBP"].includes(head));
	};
	const month = "year=2026&period=3";
	for (const view of ["overview", "variance", "variance?view=heatmap", "variance?view=waterfall"])
		expect([view, await order(view + (view.includes("?") ? "&" : "?") + month)]).toEqual([view, ["USD", "GBP"]]);
});

test("a long list prints its beginning, and says so; a chart that nobody scrolled to prints too", async () => {
	const { page } = visitor;
	await visitor.see("trades");
	const trades = await program.get<unknown[]>("/trade/list");
	const all = new RegExp(`^${trades.length.toLocaleString("en-GB")} trades`);
	const count = page.locator("main output");
	for (let i = 0; i < 40 && !all.test(await count.innerText()); i++) {
		await page.locator("main .frame").evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
		await page.waitForTimeout(100);
	}
	await page.emulateMedia({ media: "print" });
	const left = page.getByText("narrow the filter to print others");
	await left.waitFor();
	expect(await left.innerText()).toBe(
		`1,000 of ${trades.length.toLocaleString("en-GB")} rows; narrow the filter to print others.`,
	);
	expect(await page.locator("main tbody tr[data-row]").count()).toBe(1000);
	await page.emulateMedia({ media: "screen" });
	await page.waitForFunction(() => document.querySelectorAll("main tbody tr[data-row]").length < 100);

	await visitor.see("positions");
	const unseen = page.locator(".chart .drawing").last();
	expect(await unseen.evaluate((drawing) => drawing.getBoundingClientRect().top > innerHeight)).toBe(true);
	await unseen.locator("svg path").first().waitFor({ state: "attached" });
});

test("a sheet repeats every title of a table, holds all of its columns, and scales the charts", async () => {
	const { page } = visitor;
	const wide = async (name: string) => {
		const within = await page.locator("main").evaluate((main) => main.getBoundingClientRect().right + 1);
		const beyond = await page.locator(name).evaluateAll((all, end) => {
			return all.filter((one) => one.getBoundingClientRect().right > end).map((one) => one.textContent);
		}, within);
		expect(beyond, name).toEqual([]);
	};
	const paper = async (screen: string) => {
		await page.setViewportSize({ width: 1920, height: 900 });
		await visitor.see(screen);
		await page.emulateMedia({ media: "print" });
		await page.setViewportSize({ width: 1000, height: 700 });
	};
	await paper("overview?year=2026&period=3");
	await wide("main :is(th, td)");
	await wide("main .drawing svg");
	const drawn = await page.locator("main .drawing svg").first().getAttribute("viewBox");
	expect(Number(drawn?.split(" ")[2])).toBeGreaterThan(300);
	await page.emulateMedia({ media: "screen" });
	for (const screen of ["positions", "trades", "actuals"]) {
		await paper(screen);
		await wide("main :is(th, td)");
		// Chromium paints no button in a head that it repeats.
		const titles = await page
			.locator("main thead button")
			.evaluateAll((all) => all.map((b) => getComputedStyle(b).display));
		expect(new Set(titles), screen).toEqual(new Set(["contents"]));
		await page.emulateMedia({ media: "screen" });
	}
	await page.setViewportSize({ width: 1440, height: 900 });
});

test("the keys of a keyboard without brackets go a period on and back", async () => {
	await visitor.see("alerts?year=2026&period=3");
	await visitor.page.keyboard.press(".");
	expect(here()).toContain("period=4");
	await visitor.page.keyboard.press(",");
	expect(here()).toContain("period=3");
});

test("each of the two interfaces is described on a page of its own, made from its document", async () => {
	const { page } = visitor;
	const said = await program.get<{ paths: Record<string, Record<string, { tags?: string[]; summary?: string }>> }>(
		"/openapi.json",
	);
	const of = (tags: string[]) =>
		Object.entries(said.paths).flatMap(([path, operations]) =>
			Object.entries(operations)
				.filter(([, { tags: [tag = ""] = [] }]) => tags.includes(tag))
				.map(([method, { summary }]) => `${method.toUpperCase()} ${path} ${summary}`),
		);
	const headings = async (view: string) => {
		await visitor.see(`api?view=${view}`);
		return (await page.locator("main h4").allInnerTexts()).map((heading) => heading.replace(/\s+/g, " ")).sort();
	};
	expect(await headings("trading")).toEqual(of(["Health", "Currencies", "Companies", "Trades", "Positions"]).sort());
	expect(await page.locator("#operation-addTrade").innerText()).toMatch(/required[\s\S]*Example of a request/);
	expect(await headings("budget")).toEqual(of(["Departments", "GL accounts", "Budgets", "Actuals", "Variance"]).sort());
	await visitor.see("api");
	await page.getByRole("link", { name: "/api/v1/actuals/ingest" }).click();
	await visitor.settled();
	expect(here()).toMatch(/view=budget&at=/);
	const heading = page.getByRole("heading", { name: "POST /api/v1/actuals/ingest", level: 4 });
	expect(await heading.evaluate((h) => h.getBoundingClientRect().top)).toBeLessThan(200);
});

test("no label of a chart runs into another, however narrow it is", async () => {
	const { page } = visitor;
	await visitor.see("overview?year=2025&period=12");
	for (const width of [1440, 1366, 820, 390]) {
		await page.setViewportSize({ width, height: 900 });
		await visitor.settled();
		const drawings = page.locator("main .course .drawing");
		const charts = (await drawings.evaluateAll((all) =>
			all.map((drawing) =>
				[...drawing.querySelectorAll("svg text")].map((text) => [text.textContent, text.getBoundingClientRect()]),
			),
		)) as [string, DOMRect][][];
		const end = await drawings.first().evaluate((drawing) => drawing.getBoundingClientRect().right);
		expect(charts.length).toBe(2);
		for (const labels of charts) {
			expect(labels.filter(([text]) => /^[+-]/.test(text)).length, `${width}`).toBeGreaterThan(width < 1000 ? 3 : 10);
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
	// A department has its one line of an account in one currency: in a new year there is none yet.
	const key = { gl_account_id: revenue?.id, fiscal_year: 2027, fiscal_period: 1, currency: "USD" };
	for (const { id } of departments.slice(0, 5)) {
		await rich.post("/api/v1/budget/create", { ...key, department_id: id, amount: "12345678901234.56" });
		const posted = { ...key, department_id: id, amount: "3456789012345.67", source: "erp" };
		await rich.post("/api/v1/actuals/ingest", posted);
		// What has no other side says so in a word.
		await rich.post("/api/v1/actuals/ingest", { ...posted, gl_account_id: unbudgeted?.id, currency: "EUR" });
		const budgeted = { ...key, gl_account_id: unposted?.id, currency: "GBP", amount: "12345678901234.56" };
		await rich.post("/api/v1/budget/create", { ...budgeted, department_id: id });
	}
	const trade = {
		symbol: "RICH",
		currency_code: "USD",
		shares: 1_000_000,
		product: 0,
		price: "12345678.9",
		type: true,
	};
	await rich.post("/trade/add", trade);
	const guest = await Visitor.of(browser, rich.origin);
	for (const width of [1440, 1366, 1280, 1120, 1101, 1001, 1000, 900, 801, 800, 641, 640, 390]) {
		await guest.page.setViewportSize({ width, height: 900 });
		await guest.see("overview?year=2027&period=1");
		for (const amount of ["61,728,394,506,172.80", "(44,444,449,444,444.45)"])
			expect(await guest.page.getByText(amount).count(), amount).toBeGreaterThan(0);
		const over = await guest.page
			.locator("html, main .result, main .facts, main .facts > div, main .drivers")
			.evaluateAll((all) => all.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className));
		expect(over, `${width}`).toEqual([]);
	}
	expect(guest.complaints).toEqual([]);
	await guest.end();
	await rich.end();
});

test("on a phone nothing is wider than the screen", async () => {
	await visitor.page.setViewportSize({ width: 390, height: 800 });
	for (const screen of ["overview?year=2026&period=3", "alerts?year=2026&period=3"]) {
		await visitor.see(screen);
		expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
	}
});
