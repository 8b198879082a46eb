import { expect, test } from "vitest";
import { stage } from "./stage.ts";
import { hold } from "./visitor.ts";

const on = stage();

test("the threshold in force is what the field, the address and the count say, however it is written", async () => {
	const { page } = on.visitor;
	const field = page.getByRole("spinbutton", { name: "Threshold in percent, exactly" });
	const says = async () => ({
		field: await field.inputValue(),
		address: new URLSearchParams(on.here().split("?")[1]).get("threshold") ?? "",
		caption: /^Lines more than (\S+) %/.exec(await page.locator("main caption").innerText())?.[1],
		refused: await page.getByRole("alert").allInnerTexts(),
	});
	const refusal = (text: string, held: string) =>
		`“${text}” is not a valid threshold. Enter a number of 0 or more. The threshold is still ${held}%.`;
	await on.visitor.see("alerts?year=2026&period=5");
	for (const [typed, held] of [
		[".5", "0.5"],
		["5.", "5"],
		["1e1", "10"],
		["05", "5"],
		["1.50", "1.50"],
	] as const) {
		await field.fill(typed === "5." ? "5" : typed);
		await field.press("Enter");
		await on.visitor.settled();
		const address = held === "10" ? "" : held;
		expect(await says(), typed).toEqual({ field: held, address, caption: held, refused: [] });
	}
	await field.fill("-5");
	await field.press("Enter");
	expect(await says()).toEqual({ field: "1.50", address: "1.50", caption: "1.50", refused: [refusal("-5", "1.50")] });
	await field.fill("2");
	await field.press("Enter");
	expect(await says()).toEqual({ field: "2", address: "2", caption: "2", refused: [] });
	for (const [link, held, refused] of [
		[".5", "0.5", []],
		["-5", "10", [refusal("-5", "10")]],
		["ten", "10", [refusal("ten", "10")]],
	] as const) {
		await on.visitor.see(`alerts?year=2026&period=5&threshold=${link}`);
		const address = held === "10" ? "" : held;
		expect(await says(), link).toEqual({ field: held, address, caption: held, refused });
	}
});

test("reference data leads to the records of an account, whatever letters its code has", async () => {
	const { page } = on.visitor;
	const codes = ["8800", "8800 EUR", "50%", "A&B=C#D+E?F/G"];
	const [department] = await on.program.get<{ id: number }[]>("/api/v1/department/list");
	for (const [i, code] of codes.entries()) {
		await on.program.post("/api/v1/gl-accounts", { code, description: `Account ${i}`, type: "opex" });
		const accounts = await on.program.get<{ id: number; code: string }[]>("/api/v1/gl-accounts");
		const place = {
			department_id: department?.id,
			gl_account_id: accounts.find((a) => a.code === code)?.id,
			fiscal_year: 2026,
			fiscal_period: 3,
			currency: "EUR",
		};
		await on.program.post("/api/v1/budget/create", { ...place, amount: 7001 + i });
		await on.program.post("/api/v1/actuals/ingest", { ...place, amount: 9001 + i, source: "erp" });
	}
	for (const [i, code] of codes.entries()) {
		await on.visitor.see(`reference?view=accounts&year=2026&period=3&only=${encodeURIComponent(code)}`);
		const row = page.locator("main tbody tr[data-row]");
		expect(await row.count(), code).toBe(1);
		await row.locator("[data-field='budget_lines'] a").click();
		await on.visitor.settled();
		expect(await page.locator("h1").textContent()).toMatch(new RegExp(`Account ${i}, P\\d\\d 2026$`));
		expect((await page.locator("h1").textContent())?.startsWith(`${code} Account ${i}`), code).toBe(true);
		expect(await page.locator("main").innerText()).toContain((7001 + i).toLocaleString("en-GB"));
		await page.goBack();
		await on.visitor.settled();
		await row.getByRole("link").last().click();
		await on.visitor.settled();
		expect(await page.locator("main tbody tr[data-row]").count(), code).toBe(1);
		expect(await page.locator("main").innerText()).toContain((9001 + i).toLocaleString("en-GB"));
	}
});

test("a month that a link writes otherwise is the month of the titles, the scope and the margin of a print", async () => {
	const { page } = on.visitor;
	const margin = async () => {
		await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
		const said = await page.evaluate(() => document.documentElement.style.getPropertyValue("--imprint"));
		return said.split(" · ")[2];
	};
	const scope = () =>
		page.getByRole("group", { name: "What is shown" }).evaluate((sentence) => {
			const drawn = sentence.cloneNode(true) as Element;
			for (const control of drawn.querySelectorAll("select, button")) control.remove();
			return drawn.textContent?.trim().replace(/\s+/g, " ");
		});
	for (const screen of ["alerts", "variance"]) {
		await on.visitor.see(`${screen}?year=2026.0&period=05.0`);
		expect(await page.locator("h1").innerText()).toContain("P05 2026");
		expect(await page.title()).toContain(", P05 2026 · Daybook");
		expect(await scope()).toContain("All departments in P05 2026 against the original budget, in all currencies");
		expect(await margin(), screen).toBe(await scope());
		expect(on.here()).toBe(`#/${screen}?year=2026&period=5`);
	}
	await on.visitor.see("overview?year=2026.0&period=5.0&dept=sal");
	expect(await margin()).toContain("Sales in P05 2026 against the original budget, in all currencies");
	expect(await page.title()).toBe("Overview, P05 2026, Sales · Daybook");
	for (const [screen, said] of [
		["actuals?period=6&gl_code=6300", "in P06 of every year,"],
		["actuals?year=2026&gl_code=6300", "in all periods of 2026,"],
		["actuals?gl_code=6300", "in all years,"],
	] as const) {
		await on.visitor.see(screen);
		expect(await margin(), screen).toContain(said);
	}
});

test("figures of another question are marked while an answer is awaited, not printed, and gone where none came", async () => {
	const { page } = on.visitor;
	await on.visitor.see("alerts?year=2026&period=5");
	const table = page.locator("main table");
	const before = await table.innerText();
	const { held, release } = hold();
	await page.route("**/api/v1/variance/**", async (route) => {
		await held;
		await route.continue();
	});
	await page.getByRole("button", { name: "Previous period" }).click();
	await page.locator("main[aria-busy=true]").waitFor();
	await page.getByRole("status").getByText("Loading", { exact: true }).waitFor();
	expect(await page.locator("h1").innerText()).toContain("P04 2026");
	await page.waitForFunction(() => {
		const shown = document.querySelector("main table")?.closest("main > *");
		return shown && getComputedStyle(shown).opacity === "0.5";
	});
	await page.emulateMedia({ media: "print" });
	expect(await table.isVisible()).toBe(false);
	expect(await page.getByText("printed before its figures had loaded").isVisible()).toBe(true);
	await page.emulateMedia({ media: "screen" });
	release();
	await page.locator("main[aria-busy=false]").waitFor();
	expect(await table.innerText()).not.toBe(before);
	expect(await page.getByText("Loading", { exact: true }).count()).toBe(0);
	await page.unrouteAll();

	// A line of all departments must not pass for a line of one.
	await on.visitor.see("variance?year=2026&period=5&line=6300");
	await page.route("**/api/v1/variance/**", (route) => route.abort());
	await page.locator("tr.department th a").first().click();
	await page.getByText("The server does not answer.").first().waitFor();
	expect(await page.locator("main [data-raw]").count()).toBe(0);
	on.visitor.complaints.length = 0; // the browser reports each request without an answer
});

test("a request that is never answered is ended, and said to be", async () => {
	const { page } = on.visitor;
	await page.clock.install();
	await on.visitor.see("alerts?year=2026&period=5");
	await page.route("**/api/v1/variance/**", () => {});
	await page.getByRole("button", { name: "Previous period" }).click();
	await page.locator("main[aria-busy=true]").waitFor();
	await page.clock.fastForward(59_000);
	expect(await page.getByRole("alert").count()).toBe(0);
	await page.clock.fastForward(2_000);
	await page.getByText("The server did not answer in time.").waitFor();
	expect(await page.locator("main table").count()).toBe(0);
	await page.unrouteAll();
	await page.getByRole("button", { name: "Try again" }).click();
	await page.locator("main table").waitFor();
});

test("a line is said to be on budget, or not to be, only where that holds of the whole of it", async () => {
	const { page } = on.visitor;
	await on.program.post("/api/v1/department/create", { code: "HUGE", name: "Huge" });
	await on.program.post("/api/v1/gl-accounts", { code: "8900", description: "Huge", type: "opex" });
	const departments = await on.program.get<{ id: number; code: string }[]>("/api/v1/department/list");
	const accounts = await on.program.get<{ id: number; code: string }[]>("/api/v1/gl-accounts");
	const place = {
		department_id: departments.find((d) => d.code === "HUGE")?.id,
		gl_account_id: accounts.find((a) => a.code === "8900")?.id,
		fiscal_year: 2026,
		fiscal_period: 3,
		currency: "USD",
	};
	await on.program.post("/api/v1/budget/create", { ...place, amount: 10_000_000_000 });
	await on.program.post("/api/v1/actuals/ingest", { ...place, amount: 10_000_400_000, source: "erp" });
	await on.visitor.see("alerts?year=2026&period=3&dept=HUGE");
	await page.getByText("No line is off budget by more than 10%. 1 is off budget by less.").waitFor();

	await on.visitor.see("variance?year=2026&period=3&line=8900%20USD&dept=SAL&currency=USD");
	await page
		.getByText(
			"In 2026 nothing is booked as 8900 USD by the department SAL in USD, and nothing is budgeted in the original budget.",
		)
		.waitFor();
	await page.getByRole("link", { name: "In every department and currency" }).click();
	await page.getByRole("heading", { name: "8900 Huge" }).waitFor();
});

test("a day that no calendar has narrows nothing, and is said not to", async () => {
	const { page } = on.visitor;
	await on.visitor.see("trades?from=2026-05-31");
	const before = await page.locator("main output").innerText();
	await page.getByRole("button", { name: "Days: from 2026-05-31" }).click();
	const field = page.getByLabel("From");
	const told = page
		.getByRole("alert")
		.filter({ hasText: /The date in From does not exist\.\s.*31.* is still the first day\./ });
	// The browser decides the order of day, month and year. This is 31 June.
	await field.evaluate((input) => {
		Object.defineProperty(input, "value", { value: "", configurable: true });
		Object.defineProperty(input, "validity", { value: { badInput: true }, configurable: true });
		input.dispatchEvent(new Event("change", { bubbles: true }));
		for (const name of ["value", "validity"]) Reflect.deleteProperty(input, name);
	});
	await told.waitFor();
	await on.visitor.settled();
	expect([on.here(), await page.locator("main output").innerText()]).toEqual(["#/trades?from=2026-05-31", before]);
	await field.fill("2026-06-30");
	await field.blur();
	await told.waitFor({ state: "detached" });
	expect(on.here()).toBe("#/trades?from=2026-06-30");
});

test("eight windows of a browser are all told of changes, and none keeps another from asking", async () => {
	const { context } = on.visitor;
	const pages = [on.visitor.page];
	while (pages.length < 8) pages.push(await context.newPage());
	for (const page of pages) {
		await page.goto(`${on.program.origin}/#/alerts?year=2026&period=5`);
		await page.locator("main table").waitFor();
	}
	for (const page of pages) {
		await page.getByRole("button", { name: "Previous period" }).click();
		await page.locator("main caption").getByText("P04 2026").waitFor();
		await page.goto(`${on.program.origin}/#/trades`);
		await page.locator("main table").waitFor();
	}
	await on.program.buy({ symbol: "SEENBYALL" });
	for (const page of pages) await page.getByText("SEENBYALL").first().waitFor();
	// The window that opened the stream may close.
	await pages[0]?.goto("about:blank");
	await on.program.buy({ symbol: "SEENBYTHEREST" });
	for (const page of pages.slice(1)) await page.getByText("SEENBYTHEREST").first().waitFor();
});

test("what an opened row leads to in the interface is answered, and is of that record", async () => {
	const { page } = on.visitor;
	await page.setViewportSize({ width: 1920, height: 900 }); // wide enough for every column
	for (const [screen, entity] of [
		["trades", "trades"],
		["actuals?year=2026&period=3", "actuals"],
	]) {
		await on.visitor.see(screen as string);
		await page.getByRole("button", { name: "Details" }).first().click();
		const link = page.locator("main .detail").getByRole("link", { name: /as JSON$/ });
		const href = (await link.getAttribute("href")) ?? "";
		const { items } = await on.program.get<{ items: { entity: string; entity_id: number }[] }>(href);
		const id = Number(await page.locator("main tr[data-row='0'] td[data-field='id']").innerText());
		expect(items.map((entry) => [entry.entity, entry.entity_id])).toContainEqual([entity, id]);
		expect(new Set(items.map((entry) => entry.entity_id)).size).toBe(1);
	}
});

test("the status screen tells of a backup that no journal tells of", async () => {
	const { page } = on.visitor;
	await page.clock.install();
	await on.visitor.see("status");
	const last = page.locator("dt", { hasText: "Backup" }).locator("+ dd");
	expect(await last.innerText()).toContain("None is known.");
	await on.program.post("/api/v1/backups", {});
	for (let second = 0; second < 60; second++) await page.clock.runFor(1_000);
	await last.getByText(/\.db, /).waitFor();
});

test("the margin of a print has a symbol that is written from right to left by itself", async () => {
	const { page } = on.visitor;
	const symbol = "אבג 500";
	await on.visitor.see(`trades?symbol=${encodeURIComponent(symbol)}`);
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	const said = await page.evaluate(() => document.documentElement.style.getPropertyValue("--imprint"));
	expect(JSON.parse(said)).toContain(`Symbol \u2068${symbol}\u2069 · `);
});

test("a source is said to be up to date only where no source is left out of the list", async () => {
	const { page } = on.visitor;
	const sources = page.locator("section", { has: page.getByRole("heading", { name: "Freshness of actuals" }) });
	await on.visitor.see("overview?year=2026&period=5");
	expect(await sources.innerText()).toContain("up to date");
	await page.route("**/api/v1/overview?*", async (route) => {
		const answer = await route.fetch();
		const body = (await answer.json()) as { sources_total: number };
		await route.fulfill({ response: answer, json: { ...body, sources_total: body.sources_total + 1 } });
	});
	await on.visitor.see("overview?year=2026&period=5");
	const said = await sources.innerText();
	expect([said.includes("up to date"), said.includes("newest of those listed")]).toEqual([false, true]);
	await page.unrouteAll();
});
