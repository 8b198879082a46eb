import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { screens } from "../src/screens/screens.ts";
import { Program } from "./program.ts";
import { open, type Theme, Visitor } from "./visitor.ts";

const folder = join(import.meta.dirname, "../screenshots");

/** The other views of a screen. */
const views: Record<string, string[]> = {
	variance: [
		"variance?view=heatmap",
		"variance?view=waterfall",
		"variance?against=forecast1",
		"variance?span=year_to_date",
	],
	reference: ["reference?view=currencies", "reference?view=departments", "reference?view=accounts"],
	api: ["api?view=trading", "api?view=budget", "api?view=beside"],
};

let browser: Browser;
let program: Program;
let empty: Program;
beforeAll(async () => {
	mkdirSync(folder, { recursive: true });
	[browser, program, empty] = await Promise.all([open(), new Program().demo().start(), new Program().start()]);
});
afterAll(async () => {
	await browser?.close();
	await program?.end();
	await empty?.end();
});

const shots = screens.flatMap((s) => [s.id, ...(views[s.id] ?? [])]);

test.each(["light", "dark"] satisfies Theme[])(
	"every screen, %s",
	async (theme) => {
		for (const shot of shots) await picture(program, shot, theme);
		await picture(empty, "overview", theme, "first-run");
	},
	300_000,
);

async function picture(of: Program, address: string, theme: Theme, name = address): Promise<void> {
	const visitor = await Visitor.of(browser, of.origin, theme);
	await visitor.see(address);
	await visitor.page.screenshot({ path: join(folder, `${name.replace(/[?&=]/g, "-")}-${theme}.png`) });
	await visitor.end();
}
