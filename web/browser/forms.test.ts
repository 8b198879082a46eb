import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Browser, Locator } from "playwright-core";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { open, type Theme, Visitor } from "./visitor.ts";

/** The policy that the program gives the page. */
const policy = /pagePolicy = "([^"]+)"/.exec(readFileSync(join(import.meta.dirname, "../page.go"), "utf8"))?.[1] ?? "";

const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

let browser: Browser;
let folder: string;
let server: Server;
let origin: string;
let visitor: Visitor;

/** Builds the page of states, which is no part of the product, and serves it as the program serves the page. */
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "daybook-states-"));
	await build({
		configFile: false,
		logLevel: "error",
		root: join(import.meta.dirname, "states"),
		plugins: [svelte()],
		build: { outDir: folder, assetsInlineLimit: 0, minify: false, modulePreload: { polyfill: false } },
	});
	server = createServer(async (request, response) => {
		const name = request.url === "/" ? "/index.html" : (request.url ?? "");
		const body = await readFile(join(folder, name)).catch(() => undefined);
		const head = { "Content-Type": types[extname(name)] ?? "image/x-icon", "Content-Security-Policy": policy };
		response.writeHead(body || name === "/favicon.ico" ? 200 : 404, head).end(body);
	});
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	browser = await open();
});
afterAll(async () => {
	await browser?.close();
	server?.close();
	await rm(folder, { recursive: true, force: true });
});
beforeEach(() => come());
afterEach(leave);

async function come(theme: Theme = "light", width = 1440): Promise<void> {
	visitor = await Visitor.of(browser, origin, theme);
	await visitor.page.setViewportSize({ width, height: 900 });
	await visitor.page.goto(origin);
	await visitor.page.locator("h1").waitFor();
}

async function leave(): Promise<void> {
	expect(visitor.complaints).toEqual([]);
	await visitor.end();
}

const button = (name: string) => visitor.page.getByRole("button", { name, exact: true });
const press = async (...keys: string[]) => {
	for (const key of keys) await visitor.page.keyboard.press(key);
};
const done = () => visitor.page.getByRole("status").first().innerText();
/** focused waits until a part has the focus. What opens and closes hands it on a moment later. */
const focused = async (part: Locator) => {
	const element = await part.elementHandle();
	await visitor.page.waitForFunction((element) => element === document.activeElement, element);
};
const item = (name: string) => visitor.page.getByRole("menuitem", { name });

/** opened opens each part that lies above the page, one after the other, and calls look. */
async function opened(look: (part: string) => Promise<void>): Promise<void> {
	await look("the page");
	for (const [part, name] of [
		["menu", "More"],
		["dialog", "Explain"],
		["dialog", "Open"],
	] as const) {
		await button(name).click();
		await visitor.page.getByRole(part).waitFor();
		await look(name);
		await press("Escape");
		await visitor.page.getByRole(part).waitFor({ state: "detached" });
	}
	await visitor.page.getByLabel("Account", { exact: true }).click();
	await visitor.page.getByRole("listbox").waitFor();
	await look("the combobox");
	await press("Escape");
	await button("More").click();
	await visitor.page.getByRole("menuitem", { name: "Delete" }).click();
	await visitor.page.getByRole("alertdialog").waitFor();
	await look("the confirmation");
	await press("Escape");
	await visitor.page.getByRole("alertdialog").waitFor({ state: "detached" });
	await button("Tell").click();
	await button("Undo").waitFor();
	await look("the message");
}

test.each<[number, number, Theme]>([
	[1440, 24, "light"],
	[390, 44, "dark"],
])("at %s px no part keeps anybody out, and each target is %s px high, in a %s theme", async (width, least, theme) => {
	await leave();
	await come(theme, width);
	await opened(async (part) => {
		expect(await visitor.barriers(), part).toEqual([]);
		const small = await visitor.page
			.locator("button, input, select, textarea, [role=menuitem], [role=option]")
			.evaluateAll(
				(all, least) =>
					all
						.filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < least)
						.map((one) => one.outerHTML.slice(0, 200)),
				least,
			);
		expect(small, part).toEqual([]);
		expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth), part).toBeLessThanOrEqual(width);
	});
});

test("a button that is busy keeps the focus and takes no press", async () => {
	await button("Saving").focus();
	await press("Enter");
	await button("Saving").click({ force: true });
	await focused(button("Saving"));
	expect(await done()).toBe("Done: nothing");
	await button("Save").focus();
	await press("Enter");
	expect(await done()).toBe("Done: saved");
});

test("a menu is used by keys, leads on in the order of the page, and gives the focus back", async () => {
	await button("More").focus();
	await press("Enter");
	await focused(item("Copy"));
	await press("Enter");
	expect(await done()).toBe("Done: copied");
	await focused(button("More"));
	// A disabled item is passed over.
	await press("ArrowDown");
	await focused(item("Copy"));
	await press("ArrowDown");
	await focused(item("Delete"));
	await press("Tab");
	await visitor.page.getByRole("menu").waitFor({ state: "detached" });
	await focused(button("Explain"));
	await press("Shift+Tab");
	await focused(button("More"));
});

test("a popover takes the focus, and gives it back", async () => {
	await button("Explain").focus();
	await press("Enter");
	await visitor.page.getByRole("dialog", { name: "Explain" }).waitFor();
	await visitor.page.waitForFunction(() => document.activeElement?.textContent?.includes("Understood"));
	await press("Enter", "Escape");
	await visitor.page.getByRole("dialog").waitFor({ state: "detached" });
	expect(await done()).toBe("Done: understood");
	await focused(button("Explain"));
});

test("a dialog holds the focus, its list closes before it does, and what was chosen in it stays", async () => {
	const { page } = visitor;
	await button("Open").focus();
	await press("Enter");
	await page.getByRole("dialog", { name: "Edit department" }).waitFor();
	await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.name === "dialog_name");
	await page.keyboard.type("Engineering");
	await press("Shift+Tab");
	await focused(page.getByRole("dialog").getByRole("button", { name: "Save" }));
	await press("Tab", "Tab");
	await page.keyboard.type("6120");
	const options = page.getByRole("listbox").getByRole("option");
	await options.first().waitFor();
	expect(await options.allInnerTexts()).toEqual(["Account 6120"]);
	await press("Escape");
	await page.getByRole("listbox").waitFor({ state: "detached" });
	expect(await page.getByRole("dialog").isVisible()).toBe(true);
	// A text that chooses nothing does not look like a choice.
	const account = page.getByLabel("Account in the dialog");
	expect(await account.inputValue()).toBe("");
	await page.keyboard.type("6121");
	await page.getByRole("option", { name: "Account 6121" }).waitFor();
	await press("ArrowDown", "Enter");
	await page.getByRole("listbox").waitFor({ state: "detached" });
	expect(await account.inputValue()).toBe("Account 6121");
	await press("Escape");
	await page.getByRole("dialog").waitFor({ state: "detached" });
	await focused(button("Open"));
	expect(await page.getByText(/^Chosen:/).innerText()).toBe("Chosen: Engineering, , 121, 2026-11-20");
});

test("a question does nothing until it is answered", async () => {
	const { page } = visitor;
	const ask = async () => {
		await button("More").focus();
		await press("Enter");
		await focused(item("Copy"));
		await press("d");
		await focused(item("Delete"));
		await press("Enter");
		await page.getByRole("alertdialog", { name: "Delete department ENG?" }).waitFor();
	};
	await ask();
	await page.mouse.click(5, 5);
	expect(await page.getByRole("alertdialog").isVisible()).toBe(true);
	await press("Escape");
	await page.getByRole("alertdialog").waitFor({ state: "detached" });
	expect(await done()).toBe("Done: kept");
	await ask();
	await button("Delete ENG").focus();
	await press("Enter");
	expect(await done()).toBe("Done: deleted");
});

test("a field says what it is and what is wrong with it", async () => {
	const { page } = visitor;
	const code = page.getByLabel("Code");
	expect(await code.getAttribute("aria-invalid")).toBe("true");
	const said = page.locator(`id=${await code.getAttribute("aria-describedby")}`);
	expect(await said.innerText()).toBe("must not be ALL, which stands for every department");
	await page.getByLabel("Type", { exact: true }).selectOption("opex");
	await page.getByLabel("Date").fill("2027-02-28");
	expect(await page.getByText(/^Chosen:/).innerText()).toBe("Chosen: , opex, , 2027-02-28");
});

test("a message says what was done, and undoes it by a key", async () => {
	const { page } = visitor;
	await button("Tell").click();
	await page.getByText("Department ENG saved.").waitFor();
	await press("Alt+t");
	await button("Undo").focus();
	await press("Enter");
	expect(await done()).toBe("Done: undone");
	await button("Tell only").click();
	const only = page.locator("[data-sonner-toast]", { hasText: "without a way back" });
	await only.waitFor();
	expect(await only.getByRole("button").count()).toBe(0);
});

test("nothing that lies above the page is printed, and forced colours show what is chosen", async () => {
	const { page } = visitor;
	await button("Tell").click();
	await button("Open").click();
	await page.getByRole("dialog").waitFor();
	await page.emulateMedia({ media: "print" });
	expect(await page.getByRole("dialog").isVisible()).toBe(false);
	expect(await page.getByText("Department ENG saved.").isVisible()).toBe(false);
	await page.emulateMedia({ media: "screen", forcedColors: "active" });
	await press("Escape");
	await button("More").click();
	await page.waitForFunction(() => document.activeElement?.closest("[role=menu]"));
	await press("ArrowDown");
	const chosen = item("Copy");
	await page.waitForFunction(() => document.querySelector("[role=menuitem][data-highlighted]"));
	expect(await chosen.evaluate((item) => getComputedStyle(item).outlineStyle)).toBe("solid");
});
