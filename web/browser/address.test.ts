import { expect, test } from "vitest";
import { stage } from "./stage.ts";
import { hold } from "./visitor.ts";

const on = stage();

test("an address is a screen, a filter is an address, and back is back", async () => {
	await on.visitor.see("alerts?year=2026&period=3");
	const before = await on.visitor.page.locator("main").innerText();
	await on.visitor.page.keyboard.press("]");
	await on.visitor.settled();
	expect(on.here()).toContain("period=4");
	const after = await on.visitor.page.locator("main").innerText();
	expect(after).not.toBe(before);
	await on.visitor.page.goBack();
	await on.visitor.settled();
	expect(on.here()).toContain("period=3");
	expect(await on.visitor.page.locator("main").innerText()).toBe(before);
	await on.visitor.see(on.here().replace("#/", ""));
	expect(await on.visitor.page.locator("main").innerText()).toBe(before);
});

test("a year without figures is named, and leads to the newest period", async () => {
	const { page } = on.visitor;
	for (const screen of ["overview", "variance", "alerts"]) {
		await on.visitor.see(`${screen}?year=1999`);
		expect(await page.locator("main").innerText()).toContain("No budgets or actuals in 1999.");
		await page.getByText("Show the newest period").click();
		await on.visitor.settled();
		expect(on.here()).not.toContain("1999");
		expect(await page.locator("main").innerText()).not.toContain("No budgets or actuals");
	}
});

test("a list that is longer than what was read is sorted by the server, under an address", async () => {
	await on.visitor.see("trades");
	const { page } = on.visitor;
	const head = page.getByRole("columnheader", { name: "Price" });
	const order = () => head.getAttribute("aria-sort");
	const begins = async (sort: string) => {
		const { items } = await on.program.get<{ items: { id: number }[] }>(`/api/v1/trades?limit=10&sort=${sort}`);
		await on.visitor.settled();
		const ids = page.locator("tbody tr[data-row] > [data-field='id']");
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
		expect(on.here()).toContain(`sort=${sort}`);
		expect(await page.locator("caption").innerText()).toBe(`Trades, sorted by Price, ${direction}`);
		await page.getByText(/The first 500 in this order/).waitFor();
	}
	await on.visitor.see(on.here().replace("#/", ""));
	const [wanted, got] = await begins("-price");
	expect(got).toEqual(wanted);
	await on.visitor.see("actuals?sort=gl_code");
	expect(await page.locator("caption").innerText()).toBe("Actuals, sorted by Account, ascending");
});

test("the order of every table is in the address, of those within a screen too", async () => {
	const { page } = on.visitor;
	const company = (await on.program.get<{ items: { id: number; revenues: number }[] }>("/api/v1/companies")).items.find(
		({ revenues }) => revenues > 2,
	);
	const month = "variance?year=2026&period=3&span=year_to_date&dept=SAL&line=6300";
	for (const [screen, table, column, name] of [
		["positions?closed=shown", "Closed positions", "Trades", "closed_sort=-trades"],
		[`reference?open=${company?.id}`, /^Revenue of/, "Amount", "revenues_sort=-amount"],
		[month, /^Actuals of/, "Amount", "actuals_sort=-amount"],
		[month, /^Budget lines of/, "Amount", "budgets_sort=-amount"],
	] as const) {
		await on.visitor.see(screen);
		const clean = on.here();
		const grid = page.getByRole("grid", { name: table });
		const head = grid.getByRole("columnheader", { name: column });
		const rows = async () => [await head.getAttribute("aria-sort"), await grid.locator("tbody").innerText()];
		const [, usual] = await rows();
		for (const _ of ["up", "down"]) await head.getByRole("button").click();
		const sorted = await rows();
		expect([sorted[0], on.here()]).toEqual(["descending", `${clean}&${name}`]);
		expect(sorted[1]).not.toBe(usual);
		await on.visitor.see(on.here().replace("#/", ""));
		expect(await rows()).toEqual(sorted);
		await head.getByRole("button").click();
		expect([await rows(), on.here()]).toEqual([["none", usual], clean]);
	}
});

test("what an address says instead of a number is quoted where it is refused", async () => {
	const { page } = on.visitor;
	for (const screen of [
		"overview?year=abc",
		"variance?year=abc",
		"variance?year=abc&period=3",
		"variance?year=2026&period=abc&line=6300",
		"alerts?year=abc&period=3",
		"actuals?year=2026&period=abc",
		"trades?product=abc",
	]) {
		await on.visitor.see(screen);
		await page.getByText('"abc"').first().waitFor();
		expect(await page.locator("body").innerText()).not.toContain("NaN");
	}
	// The filter bar can remove a value that it would never have set.
	const sound = (await on.program.get<{ fiscal_year: number }>("/api/v1/overview")).fiscal_year;
	for (const [screen, filter] of [
		["overview?period=13", "Period"],
		["overview?year=abc", "Year"],
		["variance?year=abc&period=3", "Year"],
	] as const) {
		await on.visitor.see(screen);
		await page.getByRole("combobox", { name: filter }).selectOption("Newest");
		await on.visitor.settled();
		expect(await page.locator("main .figure").count(), screen).toBeGreaterThan(0);
		expect(await page.getByRole("combobox", { name: "Year" }).inputValue(), screen).toBe(String(sound));
	}
	on.visitor.complaints.length = 0; // the browser reports each failed request
});

test("a step that is come back to is where the reader stood, unless they move first", async () => {
	const { page } = on.visitor;
	const stands = () => page.evaluate(() => Math.round(scrollY));
	const scroll = async (to: number) => {
		await page.evaluate((to) => scrollTo(0, to), to);
		await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn))); // the page is told before it is drawn
		expect(await stands()).toBe(to);
	};
	const back = async () => {
		await page.goBack();
		await on.visitor.settled();
	};
	// Answers arrive late, as over a network, or only when the test lets them through.
	let through = Promise.resolve();
	const shut = () => {
		const { held, release } = hold();
		through = held;
		return release;
	};
	await page.route("**/api/v1/**", async (route) => {
		await new Promise((resolve) => setTimeout(resolve, 150));
		await through;
		await route.fallback();
	});
	await on.visitor.see("overview?year=2026&period=3");
	await scroll(700);
	await page.getByRole("link", { name: "Variance", exact: true }).click();
	await on.visitor.settled();
	expect(await stands()).toBe(0);
	await scroll(400);
	// An opened line starts at its top, and the statement keeps its position.
	await page.locator("a[data-line]").last().dispatchEvent("click"); // without scrolling to it
	await on.visitor.settled();
	expect([on.here().includes("line="), await stands()]).toEqual([true, 0]);
	await scroll(100);
	await back();
	expect([on.here().includes("line="), await stands()]).toEqual([false, 400]);
	await page.goForward();
	await on.visitor.settled();
	expect([on.here().includes("line="), await stands()]).toEqual([true, 100]);
	await page.reload();
	await on.visitor.settled();
	expect(await stands()).toBe(100);
	// A step that is left before it shows anything keeps its position.
	await page.getByRole("link", { name: "Status", exact: true }).click();
	await on.visitor.settled();
	expect(await stands()).toBe(0);
	const shown = shut();
	await page.goBack();
	expect([on.here().includes("line="), await stands()]).toEqual([true, 0]);
	shown();
	await back();
	expect([on.here().includes("line="), await stands()]).toEqual([false, 400]);
	await page.goForward();
	await on.visitor.settled();
	expect([on.here().includes("line="), await stands()]).toEqual([true, 100]);
	await page.goBack();
	await back();
	expect([on.here().includes("overview"), await stands()]).toEqual([true, 700]);
	// A late answer does not move a reader who scrolled meanwhile.
	await page.getByRole("link", { name: "Status", exact: true }).dispatchEvent("click");
	await on.visitor.settled();
	const late = shut();
	await page.goBack();
	await page.mouse.move(700, 500);
	await page.mouse.wheel(0, 60);
	late();
	await on.visitor.settled();
	expect([on.here().includes("overview"), (await stands()) < 200]).toEqual([true, true]);
	// A key that scrolls nothing ends restoring and keeps the position.
	await scroll(600);
	const pressed = shut();
	await page.reload();
	await page.keyboard.press("Shift");
	pressed();
	await on.visitor.settled();
	await page.reload();
	await on.visitor.settled();
	expect(await stands()).toBe(600);
	// Another page of the same origin may store something else under the same key.
	await page.addInitScript(() => location.protocol === "http:" && sessionStorage.setItem("daybook.steps", "5"));
	await on.visitor.see("overview");
});

test("what is opened is in the address, on loading and on coming back", async () => {
	const { page } = on.visitor;
	const opened = () => page.locator("main button[aria-expanded=true]").count();
	await on.visitor.see("trades");
	const symbol = await page.locator("main tbody td[data-field='symbol']").nth(2).innerText();
	for (const nth of [2, 5]) await page.locator("main tbody button[aria-expanded]").nth(nth).click();
	await on.visitor.settled();
	expect(await opened()).toBe(2);
	const address = on.here();
	expect(address).toMatch(/open=\d+,\d+/);
	await page.getByRole("link", { name: symbol, exact: true }).first().click();
	await on.visitor.settled();
	expect(on.here()).toContain("positions");
	await page.goBack();
	await on.visitor.settled();
	expect([on.here(), await opened()]).toEqual([address, 2]);
	await on.visitor.see(address.replace("#/", ""));
	expect(await opened()).toBe(2);
	// The list keeps its position when a row that it opened is read again.
	let asked = 0;
	page.on("request", (request) => {
		if (/\/trades\?/.test(request.url())) asked++;
	});
	await page.locator("main tbody button[aria-expanded=false]").first().click();
	await on.visitor.settled();
	expect([await opened(), asked]).toEqual([3, 0]);
});

test("the table behind a chart is in the address", async () => {
	const { page } = on.visitor;
	await on.visitor.see("overview?year=2026&period=3");
	const press = page.getByRole("button", { name: /^Table: Net result after capex by period, USD/ });
	await press.click();
	expect(on.here()).toContain("table=USD");
	const shown = () => page.getByRole("region", { name: /^Net result after capex by period, USD/ }).locator("tbody tr");
	expect(await shown().count()).toBe(12);
	await on.visitor.see(on.here().replace("#/", ""));
	expect(await shown().count()).toBe(12);
	await press.click();
	expect(on.here()).not.toContain("table");
});

test("a slider writes the address when it rests, not while it moves", async () => {
	const { page } = on.visitor;
	await on.visitor.see("alerts?year=2026&period=3");
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
	expect(on.here()).toContain("threshold=59");
});

test("a value that the server accepts in another notation is shown as what it means", async () => {
	const { page } = on.visitor;
	const choice = (name: string) => page.getByRole("combobox", { name, exact: true });
	const chosen = (name: string) =>
		choice(name).evaluate((field) => (field as HTMLSelectElement).selectedOptions[0]?.text);

	await on.visitor.see("overview?dept=ALL&currency=usd&version=FORECAST1");
	expect(new URLSearchParams(on.here().split("?")[1]).toString()).toBe("currency=USD&version=forecast1");
	expect([await chosen("Version"), (await chosen("Department"))?.trim(), await chosen("Currency")]).toEqual([
		"Forecast 1",
		"All departments",
		"USD",
	]);
	await page.getByText("Portfolio", { exact: true }).waitFor();

	await on.visitor.see("variance?year=2026&period=5&version=FORECAST1&dept=sal");
	expect((await chosen("Department"))?.endsWith(" SAL")).toBe(true);
	expect(await choice("Compare with").locator("option").allTextContents()).toEqual([
		"None",
		"Original budget",
		"Forecast 2",
		"Forecast 3",
	]);
});

test("the variance says which version has nothing, and leads to the one that has something", async () => {
	const { page } = on.visitor;
	await on.program.post("/api/v1/department/create", { code: "OLD", name: "Old" });
	await on.program.post("/api/v1/gl-accounts", { code: "9999", description: "Suspense", type: "opex" });
	const ids = async (path: string) => on.program.get<{ id: number; code: string }[]>(path);
	const line = {
		department_id: (await ids("/api/v1/department/list")).find((d) => d.code === "OLD")?.id,
		gl_account_id: (await ids("/api/v1/gl-accounts")).find((a) => a.code === "9999")?.id,
		fiscal_year: 2025,
		version: "forecast1",
		currency: "USD",
		amount: 5,
	};
	for (const fiscal_period of [1, 2, 3]) await on.program.post("/api/v1/budget/create", { ...line, fiscal_period });
	await on.visitor.see("variance?year=2025&period=3&line=9999&dept=OLD");
	await page
		.getByText(
			"In 2025 nothing is booked as 9999 by the department OLD, and nothing is budgeted in the original budget.",
		)
		.waitFor();
	await page.getByRole("link", { name: "Forecast 1" }).click();
	await page.getByRole("grid", { name: /^Budget lines of 9999/ }).waitFor();
});

test.each(["", "&view=heatmap", "&view=waterfall", "&line=4000"])(
	"a period without figures says so once, and of no variance (%j)",
	async (view) => {
		const { page } = on.visitor;
		await on.visitor.see(`variance?year=2031&period=3${view}`);
		await page
			.getByText(/^In (P03 )?2031 nothing is booked.* and nothing is budgeted in\s+the original budget\./)
			.waitFor();
		expect(await page.locator("main").innerText()).not.toContain("every variance is the whole budget");
	},
);
