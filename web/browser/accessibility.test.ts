import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstRun } from "../src/screens/screens.ts";
import { Program } from "./program.ts";
import { open, Visitor } from "./visitor.ts";

let browser: Browser;
let program: Program;
beforeAll(async () => {
	[browser, program] = await Promise.all([open(), new Program().demo().start()]);
});
afterAll(async () => {
	await browser?.close();
	await program?.end();
});

// Each page opens in the dark theme; screens.test.ts opens those of the light one.
test.each([
	["Control+k", "Search", "variance"],
	["?", "Keyboard shortcuts", ""],
])("the dialog that %s opens keeps nobody out", async (key, name, typed) => {
	const visitor = await Visitor.of(browser, program.origin, "dark");
	await visitor.see("status");
	await visitor.page.keyboard.press(key);
	await visitor.page.getByRole("dialog", { name }).waitFor();
	await visitor.page.keyboard.type(typed);
	await visitor.settled();
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.barriersIn("light")).toEqual([]);
	expect(visitor.complaints).toEqual([]);
	await visitor.end();
});

test("the words of a screen are explained behind its question mark, its own first", async () => {
	const visitor = await Visitor.of(browser, program.origin, "dark");
	await visitor.see("variance");
	await visitor.page.getByRole("button", { name: "What the words mean" }).click();
	const dialog = visitor.page.getByRole("dialog", { name: "What the words mean" });
	await dialog.getByText("Better or worse than the budget").waitFor();
	expect((await dialog.locator("dt").allInnerTexts())[0]).toBe("Variance");
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.barriersIn("light")).toEqual([]);
	await dialog.getByRole("button", { name: "Close" }).click();
	const mark = visitor.page.getByRole("button", { name: "What Actual means" });
	expect(await mark.count()).toBe(1); // once on a screen, however many tables it has
	expect((await mark.boundingBox())?.width).toBeGreaterThanOrEqual(24);
	await mark.click();
	await dialog.getByText("The booked amount").first().waitFor();
	expect((await dialog.locator("dt").allInnerTexts())[0]).toBe("Actual");
	await visitor.page.keyboard.press("Escape");
	await dialog.waitFor({ state: "detached" });
	expect(visitor.complaints).toEqual([]);
	await visitor.end();
});

test("the page that asks for a token keeps nobody out, and lets in who has one", async () => {
	const guarded = new Program().demo();
	const token = guarded.token();
	await guarded.start("--require-token");
	const visitor = await Visitor.of(browser, guarded.origin, "dark");
	await visitor.see("alerts");
	expect(await visitor.page.title()).toBe("Sign in · Daybook");
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.barriersIn("light")).toEqual([]);
	await visitor.page.getByLabel("Token").fill(token);
	await visitor.page.keyboard.press("Enter");
	await visitor.page.waitForFunction(() => document.title.startsWith("Alerts"));
	await visitor.settled();
	expect(visitor.complaints).toEqual([]);
	await visitor.end();
	await guarded.end();
});

test("an empty database shows how to begin, and is filled with one click", async () => {
	const empty = await new Program().shared().start();
	const visitor = await Visitor.of(browser, empty.origin, "dark");
	await visitor.see("");
	expect(await visitor.page.title()).toBe(`${firstRun.title} · Daybook`);
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.barriersIn("light")).toEqual([]);
	await visitor.page.getByRole("button", { name: /demo/i }).click();
	await visitor.page.waitForFunction(() => document.title.startsWith("Overview"));
	await visitor.settled();
	await visitor.see("status");
	await visitor.page.getByText("Everything is stored, but the server has a warning.").waitFor();
	const warnings = visitor.page.getByRole("region", { name: "Warnings" });
	await warnings.getByText(/^Other users may make files in the folder .+\.$/).waitFor();
	expect(await visitor.barriers()).toEqual([]);
	expect(visitor.complaints).toEqual([]);
	await visitor.end();
	await empty.end();
});

test("barriers are found where there are some", async () => {
	const visitor = await Visitor.of(browser, program.origin);
	await visitor.see("status");
	await visitor.page.evaluate(() =>
		document.querySelector("main")?.append(document.createElement("img"), document.createElement("button")),
	);
	expect((await visitor.barriers()).length).toBeGreaterThan(0);
	await visitor.page.evaluate(() => {
		const pale = document.createElement("p");
		pale.append("Pale in one theme");
		pale.style.color = "#456";
		document.querySelector("main")?.append(pale);
	});
	expect(await visitor.barriersIn("light")).toEqual([]);
	expect(await visitor.barriersIn("dark")).toEqual([expect.stringMatching(/^color-contrast: /)]);
	await visitor.page.evaluate(() => console.error("a complaint"));
	expect(visitor.complaints).toEqual(["console: a complaint"]);
	await visitor.end();
});
