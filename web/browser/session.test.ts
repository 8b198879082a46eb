import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Program } from "./program.ts";
import { stage } from "./stage.ts";
import { Visitor } from "./visitor.ts";

const on = stage();
let guarded: Program;
let token: string;
let visitor: Visitor;

beforeAll(async () => {
	guarded = new Program().demo();
	token = guarded.token();
	await guarded.start("--require-token");
});
afterAll(() => guarded.end());
beforeEach(async () => {
	visitor = await Visitor.of(on.browser, guarded.origin);
	await visitor.see("overview");
	await visitor.page.getByLabel("Token").fill(token);
	await visitor.page.keyboard.press("Enter");
	await figures(visitor.page).first().waitFor();
	await visitor.settled();
});
afterEach(() => visitor.end());

const figures = (page: Page) => page.locator("main [data-raw]");
/** leave signs out, as a reader does in the settings at the foot of the rail. */
async function leave(page: Page) {
	await page.getByRole("button", { name: "Settings" }).click();
	await page.getByText("Signed in as reader").waitFor();
	await page.getByRole("button", { name: "Sign out" }).click();
}
const signIn = (page: Page) => page.getByRole("button", { name: "Sign in" });

/** kept does what a browser does when it keeps a page and shows it again later. */
async function kept(page: Page, event: "pagehide" | "pageshow"): Promise<number> {
	return page.evaluate((event) => {
		dispatchEvent(new PageTransitionEvent(event, { persisted: true }));
		return document.querySelectorAll("main [data-raw]").length;
	}, event);
}

test("signing out that fails says that the session goes on, and is tried again", async () => {
	const { page } = visitor;
	await page.route("**/api/v1/session", (route) =>
		route.request().method() === "DELETE" ? route.abort() : route.continue(),
	);
	await leave(page);
	const told = page.getByRole("alert").filter({ hasText: "You are still signed in in this browser as reader." });
	await told.waitFor();
	expect(await told.innerText()).toContain("The server does not answer.");
	expect(visitor.complaints.filter((said) => said.startsWith("error:"))).toEqual([]);
	await page.unrouteAll();
	await page.getByRole("button", { name: "Try again to sign out" }).click();
	await signIn(page).waitFor();
	expect((await page.request.get(`${guarded.origin}/trade/list`)).status()).toBe(401);
});

test("a page that is kept to be shown again has no figures, before the session is known to go on", async () => {
	const { page } = visitor;
	expect(await figures(page).count()).toBeGreaterThan(10);
	expect(await kept(page, "pagehide")).toBe(0);
	expect(await kept(page, "pageshow")).toBe(0);
	await figures(page).first().waitFor(); // the session goes on

	expect(await kept(page, "pagehide")).toBe(0);
	await page.request.delete(`${guarded.origin}/api/v1/session`, { headers: { Origin: guarded.origin } });
	expect(await kept(page, "pageshow")).toBe(0);
	await signIn(page).waitFor();
	expect(await figures(page).count()).toBe(0);
});

test("a page that is kept and whose server is away says so, and shows no figures", async () => {
	const { page } = visitor;
	await kept(page, "pagehide");
	await page.route("**/api/v1/session", (route) => route.abort());
	await kept(page, "pageshow");
	await page.getByText("The server does not answer.").waitFor();
	expect(await figures(page).count()).toBe(0);
	await page.unrouteAll();
	await page.getByRole("button", { name: "Try again" }).click();
	await figures(page).first().waitFor();
});

test("a page that opens while the server is busy begins by itself", async () => {
	const { page } = visitor;
	const busy = { error: "the server is busy; try again", code: "unavailable" };
	await page.route("**/api/v1/session", (route) => route.fulfill({ status: 503, json: busy }), { times: 1 });
	await page.reload();
	await page.getByText(busy.error).waitFor();
	await figures(page).first().waitFor();
	expect(await page.getByText(busy.error).count()).toBe(0);
});

test("a session that ends says so, and goes on where it was; a wrong token is named and stays in its field", async () => {
	const { page } = visitor;
	await page.getByRole("link", { name: "Alerts", exact: true }).click();
	await visitor.settled();
	await page.request.delete(`${guarded.origin}/api/v1/session`, { headers: { Origin: guarded.origin } });
	await page.getByRole("button", { name: "Previous period" }).click();
	await page.getByRole("heading", { name: "Your session ended" }).waitFor();
	await page.getByText("Sign in again to go on where you were. What you typed is kept in this window.").waitFor();
	await page.getByLabel("Token").fill("no token");
	await page.keyboard.press("Enter");
	await page.getByRole("alert").getByText("That is not a Daybook token").waitFor();
	expect(await page.getByLabel("Token").inputValue()).toBe("no token");
	await page.getByLabel("Token").fill(token);
	await page.keyboard.press("Enter");
	await figures(page).first().waitFor();
	expect(page.url()).toContain("#/alerts");
	expect(await visitor.barriers()).toEqual([]);
});

test("who is signed in and what the token may do stands in the settings, and where a button to write would stand", async () => {
	const { page } = visitor;
	for (const [width, name] of [
		[1440, "Settings"],
		[390, "More"],
	] as const) {
		await page.setViewportSize({ width, height: 844 });
		await visitor.see("reference?view=departments");
		await page.locator("main").getByText("Your token may read, not write.").waitFor();
		expect(await page.getByRole("button", { name: "Add department" }).count()).toBe(0);
		await page.getByRole("button", { name }).click();
		const sheet = page.getByRole("dialog", { name });
		await sheet.getByText("Signed in as reader This token may read, not write, until").waitFor();
		expect(await sheet.getByRole("button", { name: "Sign out" }).isVisible()).toBe(true);
		expect(await visitor.barriers()).toEqual([]);
	}
});

test("a page that needs no session is shown as it was", async () => {
	await on.visitor.see("overview");
	const { page } = on.visitor;
	const before = await figures(page).count();
	expect(before).toBeGreaterThan(10);
	expect(await kept(page, "pagehide")).toBe(before);
	expect(await kept(page, "pageshow")).toBe(before);
});

/** hidden hides a window or shows it again. */
async function hidden(page: Page, hidden: boolean) {
	await page.evaluate((hidden) => {
		Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
		document.dispatchEvent(new Event("visibilitychange"));
	}, hidden);
}

test("who signs out is signed out in the windows that are not seen as well", async () => {
	const other = await visitor.context.newPage();
	await other.goto(`${guarded.origin}/#/alerts`);
	await figures(other).first().waitFor();
	await hidden(other, true);
	await leave(visitor.page);
	await signIn(visitor.page).waitFor();
	await signIn(other).waitFor();
	expect(await figures(other).count()).toBe(0);
});

test("a window that is seen again after the session's end shows no figures", async () => {
	const { page } = visitor;
	await hidden(page, true);
	await page.clock.install({ time: Date.now() + 13 * 60 * 60 * 1000 });
	await page.request.delete(`${guarded.origin}/api/v1/session`, { headers: { Origin: guarded.origin } });
	await page.route("**/api/v1/session", () => {});
	await hidden(page, false);
	expect(await figures(page).count()).toBe(0);
});
