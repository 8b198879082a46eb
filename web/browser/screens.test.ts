import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { screens } from "../src/screens/screens.ts";
import { Program } from "./program.ts";
import { open, type Theme, Visitor } from "./visitor.ts";

/** The other views of a screen. */
const views = [
	"variance?view=heatmap",
	"variance?view=waterfall",
	"variance?against=forecast1",
	"variance?line=4000",
	"reference?view=currencies",
	"reference?view=departments",
	"reference?view=accounts",
	"api?view=trading",
	"api?view=budget",
	"api?view=beside",
];

/** `make browser SCREEN=variance` tests one screen; without SCREEN all are tested. */
const wanted = process.env.SCREEN;
const shown = screens.filter(({ id }) => !wanted || id === wanted);
if (shown.length === 0)
	throw new Error(`SCREEN=${wanted} is no screen; use one of ${screens.map(({ id }) => id).join(", ")}`);
const shownViews = views.filter((view) => shown.some(({ id }) => view.startsWith(`${id}?`)));

let browser: Browser;
let program: Program;
/** The newest month, as a title says it. */
let month: string;
beforeAll(async () => {
	[browser, program] = await Promise.all([open(), new Program().demo().start()]);
	const newest = await program.get<{ fiscal_year: number; fiscal_period: number }>("/api/v1/filters");
	month = `, P${String(newest.fiscal_period).padStart(2, "0")} ${newest.fiscal_year}`;
});
afterAll(async () => {
	await browser?.close();
	await program?.end();
});

describe.each<Theme>(["light", "dark"])("in a %s theme", (theme) => {
	test.each(shown.map((s) => [s.title, s]))(
		"%s opens by its address, quietly, and keeps nobody out",
		async (_, screen) => {
			const visitor = await Visitor.of(browser, program.origin, theme);
			await visitor.see(screen.id);
			expect(await visitor.page.title()).toBe(
				`${screen.title}${screen.period && screen.period !== "all" ? month : ""} · Daybook`,
			);
			expect(await visitor.page.locator("h1").count()).toBe(1);
			expect(await visitor.page.locator("[role=alert]").allTextContents()).toEqual([]);
			expect(await visitor.barriers()).toEqual([]);
			expect(visitor.complaints).toEqual([]);
			await visitor.end();
		},
	);

	test.each(shownViews)("%s keeps nobody out", async (view) => {
		const visitor = await Visitor.of(browser, program.origin, theme);
		await visitor.see(view);
		expect(await visitor.barriers()).toEqual([]);
		expect(visitor.complaints).toEqual([]);
		await visitor.end();
	});
});
