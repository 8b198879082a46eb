import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { stage } from "./stage.ts";

const on = stage();
const month = "year=2026&period=3";

test("a copied link names the year, the period and the version, also where the address leaves them open", async () => {
	const { page } = on.visitor;
	await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	const newest = await on.program.get<{ fiscal_year: number; fiscal_period: number }>("/api/v1/filters");
	await on.visitor.see("overview?currency=USD");
	expect(on.here()).toBe("#/overview?currency=USD");
	await page.getByRole("button", { name: "Copy link" }).click();
	await page.getByText("The link is copied.").waitFor();
	const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
	expect(Object.fromEntries(new URLSearchParams(link.hash.split("?")[1]))).toEqual({
		currency: "USD",
		year: String(newest.fiscal_year),
		period: String(newest.fiscal_period),
		version: "original",
	});
	expect(link.origin).toBe(on.program.origin);
});

test("the rail folds to its icons, each with its name, and stays as it was left", async () => {
	const { page } = on.visitor;
	await on.visitor.see("status");
	const rail = page.getByRole("navigation", { name: "Screens" });
	const width = () => rail.evaluate((nav) => nav.getBoundingClientRect().width);
	expect(await width()).toBeGreaterThan(200);
	await rail.getByRole("button", { name: "Fold" }).click();
	expect(await width()).toBeLessThan(60);
	for (const name of ["Overview", "Data quality"])
		expect(await rail.getByRole("link", { name }).getAttribute("title")).toBe(name);
	expect(await on.visitor.barriers()).toEqual([]);
	await page.reload();
	await on.visitor.settled();
	expect(await width()).toBeLessThan(60);
	await rail.getByRole("button", { name: "Show the names" }).click();
	expect(await width()).toBeGreaterThan(200);
});

test("on a phone the scope is one button, and all that is touched is large enough", async () => {
	const { page } = on.visitor;
	await page.setViewportSize({ width: 390, height: 844 });
	await on.visitor.see(`alerts?${month}`);
	await page.getByRole("button", { name: /^All departments in P03 2026 .*Change$/ }).click();
	const sheet = page.getByRole("dialog", { name: "What is shown" });
	await sheet.waitFor();
	expect(await on.visitor.barriers()).toEqual([]);
	await sheet.getByRole("combobox", { name: "Period" }).selectOption("P04");
	await sheet.getByRole("button", { name: "Done" }).click();
	await on.visitor.settled();
	expect(on.here()).toContain("period=4");
	expect(await sheet.isVisible()).toBe(false);
	await page.getByRole("button", { name: "More", exact: true }).click();
	const more = page.getByRole("dialog", { name: "More" });
	await more.waitFor();
	expect(await on.visitor.barriers()).toEqual([]);
	const small = await page
		.locator("header :is(a, button), nav :is(a, button, select)")
		.evaluateAll((all) =>
			all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44).map((one) => one.outerHTML),
		);
	expect(small).toEqual([]);
	await more.getByRole("link", { name: "Positions" }).click();
	await on.visitor.settled();
	expect(on.here()).toContain("positions");
	expect(await more.isVisible()).toBe(false);
});

test("the typeface comes after the first figure, and moves nothing", async () => {
	const { page } = on.visitor;
	await page.addInitScript(() => {
		const seen = { moved: 0, figures: -1 };
		Object.assign(globalThis, { seen });
		const load = FontFace.prototype.load;
		FontFace.prototype.load = function () {
			seen.figures = document.querySelectorAll("main .figure").length;
			return load.call(this);
		};
	});
	let release = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	await page.route("**/*.woff2", async (route) => {
		await held;
		await route.continue();
	});
	const places = () =>
		page.locator("main h2, main td, nav a").evaluateAll((all) =>
			all.map((one) => {
				const { left, top, right } = one.getBoundingClientRect();
				return [left, top, right];
			}),
		);
	// The page may not be complete before the typeface has come.
	await page.goto(`${on.program.origin}/#/alerts?${month}`, { waitUntil: "commit" });
	await page.locator("main .figure").nth(20).waitFor();
	let before = await places();
	// What loads last, as the number of alerts in the rail, begins 400 ms after the rest.
	for (let same = 0; same < 4; ) {
		await page.waitForTimeout(300);
		const now = await places();
		same = JSON.stringify(now) === JSON.stringify(before) ? same + 1 : 0;
		before = now;
	}
	release();
	await page.waitForFunction(() =>
		[...document.fonts].some((font) => font.family === "Inter" && font.status === "loaded"),
	);
	await on.visitor.settled();
	const after = await places();
	expect(after.length).toBe(before.length);
	const moved = after.flatMap((place, i) => place.map((at, side) => Math.abs(at - (before[i]?.[side] ?? 0))));
	expect(Math.max(...moved)).toBeLessThanOrEqual(12);
	expect(
		await page.evaluate(() => (globalThis as unknown as { seen: { figures: number } }).seen.figures),
	).toBeGreaterThan(0);
});

test("in the reader's own colours one sees what is chosen, pressed, hovered, focused, and better or worse", async () => {
	const { page } = on.visitor;
	await page.emulateMedia({ forcedColors: "active" });
	await on.visitor.see(`alerts?${month}&only=unfavourable`);
	const ground = (place: Locator) => place.evaluate((one) => getComputedStyle(one).backgroundColor);
	const nav = page.getByRole("navigation", { name: "Screens" });
	const rows: [Locator, Locator][] = [
		[nav.locator("a[aria-current]"), nav.getByRole("link", { name: "Trades" })],
		[page.getByRole("link", { name: "Worse" }), page.getByRole("link", { name: "Better" })],
	];
	for (const [chosen, other] of rows) expect(await ground(chosen)).not.toBe(await ground(other));
	const lined = (place: Locator) =>
		place.evaluate((one) => {
			const { outlineStyle, outlineWidth } = getComputedStyle(one);
			return outlineStyle !== "none" && outlineWidth !== "0px";
		});
	const row = page.locator("main tr[data-row='1']");
	expect(await lined(row)).toBe(false);
	await row.hover();
	expect(await lined(row)).toBe(true);
	await row.locator("td").last().focus();
	await page.keyboard.press("ArrowDown");
	expect(await lined(page.locator("main tr[data-row='2'] td").last())).toBe(true);

	await on.visitor.see("positions?table=USD");
	const table = page.getByRole("button", { name: /^Table: Value/ });
	expect(await ground(table.first())).not.toBe(await ground(table.nth(1)));
	const fill = (tone: string) =>
		page
			.locator(`main .bar.${tone}`)
			.first()
			.evaluate((bar) => {
				const { backgroundColor, backgroundImage } = getComputedStyle(bar);
				return backgroundImage === "none" ? backgroundColor : "hatched";
			});
	expect(await fill("bad")).toBe("hatched");
	expect(await fill("good")).not.toBe(await ground(page.locator("html")));
	await on.visitor.see("trades");
	const marks = await page
		.locator("main .mark")
		.evaluateAll((all) =>
			all.map((mark) => [
				mark.classList.contains("sold"),
				getComputedStyle(mark).backgroundColor === "rgba(0, 0, 0, 0)",
			]),
		);
	expect(marks.every(([sold, open]) => sold === open)).toBe(true);
	expect(await on.visitor.barriers()).toEqual([]);
});

test("nothing moves for a reader who asked for that", async () => {
	const { page } = on.visitor;
	await on.visitor.see("reference?view=departments&edit=1");
	const moving = () =>
		page.locator("*").evaluateAll((all) => {
			const lasts = (time: string) => time.split(", ").some((each) => Number.parseFloat(each) > 0);
			const styles = all.map((one) => getComputedStyle(one));
			return styles.filter((style) => lasts(style.animationDuration) || lasts(style.transitionDuration)).length;
		});
	expect(await moving()).toBe(0);
	await page.emulateMedia({ reducedMotion: "no-preference" });
	expect(await moving()).toBeGreaterThan(0);
});

test("the rail says how many alerts the month has", async () => {
	const { page } = on.visitor;
	await on.visitor.see(`alerts?${month}`);
	const all = Number.parseInt(await page.locator("main output").innerText(), 10);
	expect(all).toBeGreaterThan(0);
	const link = page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Alerts", exact: true });
	await link.getByText(String(all), { exact: true }).waitFor();
	expect(await link.getAttribute("title")).toBe(`${all} open`);
	await on.visitor.see(`overview?${month}&dept=MKT`);
	await page.waitForFunction((all) => document.querySelector("nav a .count")?.textContent !== all, String(all));
});
