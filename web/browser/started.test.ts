import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Program } from "./program.ts";
import { stage } from "./stage.ts";
import { Visitor } from "./visitor.ts";

const on = stage();

const page = readFileSync(join(import.meta.dirname, "../manual/get-started.md"), "utf8");

/** The words that the page has in bold: each stands on a screen. */
const words = new Set([...page.matchAll(/\*\*([^*]+)\*\*/g)].map(([, word = ""]) => word));

/** The screens of the first day. */
const screens = [
	"overview",
	"variance",
	"alerts",
	"quality",
	"status",
	"reference?view=departments&edit=new",
	"reference?view=accounts&edit=new",
	"reference?view=accounts&edit=1",
];

/** A file of which one row is new and one is wrong, for the steps of an import. */
const file = "department,gl_code,fiscal_period,amount,currency\nSAL,4000,1,12.50,USD\nNONE,4000,2,1.00,USD\n";

/** shown returns the words of the screen that is open: of buttons, links, labels and sentences. */
async function shown(visitor: Visitor): Promise<Set<string>> {
	const texts = await visitor.page.evaluate(() =>
		[
			...document.querySelectorAll(
				"button, a, b, nav a, ol li, label, label span, th, h1, h2, li, span, dt, option, output",
			),
		].flatMap((e) => [
			e.textContent ?? "",
			[...e.childNodes]
				.filter((n) => n.nodeType === Node.TEXT_NODE)
				.map((n) => n.textContent)
				.join(" "),
		]),
	);
	return new Set(texts.map((text) => text.replaceAll(/\s+/g, " ").trim()));
}

test("every word that Get started has in bold stands on a screen of the first day", async () => {
	const seen = new Set<string>();
	const empty = await new Program().start();
	const first = await Visitor.of(on.browser, empty.origin);
	await first.see("");
	for (const word of await shown(first)) seen.add(word);
	await first.end();
	await empty.end();
	for (const screen of screens) {
		await on.visitor.see(screen);
		for (const word of await shown(on.visitor)) seen.add(word);
	}
	const { page: tab } = on.visitor;
	await on.visitor.see("import");
	for (const word of await shown(on.visitor)) seen.add(word);
	await tab.getByRole("radio", { name: "Actuals" }).check();
	await tab
		.locator("input[type=file]")
		.setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
	await tab.getByRole("heading", { name: "The same in every row" }).waitFor();
	for (const word of await shown(on.visitor)) seen.add(word);
	await tab.getByLabel("The same in every row").fill("2031");
	await tab.keyboard.press("Enter");
	await tab.getByText("No question is open").waitFor();
	await tab.getByRole("button", { name: /^Check/ }).click();
	await tab.getByRole("navigation", { name: "Rows by result" }).waitFor();
	for (const word of await shown(on.visitor)) seen.add(word);
	await tab.getByRole("button", { name: "Leave out 1 wrong row" }).click();
	await tab.getByRole("button", { name: "Import 1 actual" }).click();
	for (const act of ["Undo", "Redo", "Undo"]) {
		await tab.getByRole("button", { name: `${act} a.csv` }).click();
		for (const word of await shown(on.visitor)) seen.add(word);
	}
	expect([...words].filter((word) => !seen.has(word))).toEqual([]);
	expect(words.size).toBeGreaterThan(20);
	expect(seen.has("Guess the type")).toBe(false);
});

test("Help opens with Get started", async () => {
	await on.visitor.see("help");
	await on.visitor.page.getByRole("heading", { name: "Get started", level: 2 }).waitFor();
});
