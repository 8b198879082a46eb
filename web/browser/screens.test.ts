import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { screens } from "../src/screens/screens.ts";
import { Program } from "./program.ts";
import { open, Visitor } from "./visitor.ts";

/** The other views of a screen; "what is tried out" examines that of the calls beside the interfaces. */
const views = [
	"variance?view=heatmap",
	"variance?view=waterfall",
	"variance?against=forecast1",
	"variance?line=4000",
	"positions?symbol=NBKI&currency=USD&product=0",
	"reference?view=currencies",
	"reference?view=departments",
	"reference?view=accounts",
	"api?view=trading",
	"api?view=budget",
];

/** `make browser SCREEN=variance` tests one screen; without SCREEN all are tested. */
const wanted = process.env.SCREEN;
const shown = screens.filter(({ id }) => !wanted || id === wanted);
if (shown.length === 0)
	throw new Error(`SCREEN=${wanted} is no screen; use one of ${screens.map(({ id }) => id).join(", ")}`);
const shownViews = views.filter((view) => shown.some(({ id }) => view.startsWith(`${id}?`)));

let browser: Browser;
let program: Program;
let visitor: Visitor;
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

beforeEach(async () => {
	visitor = await Visitor.of(browser, program.origin);
});
afterEach(async () => {
	expect(visitor.complaints).toEqual([]);
	await visitor.end();
});

test.each(shown.map((s) => [s.title, s]))(
	"%s opens by its address, quietly, and keeps nobody out in either theme",
	async (_, screen) => {
		const { page } = visitor;
		await visitor.see(screen.id);
		expect(await page.title()).toBe(
			`${screen.title}${screen.period && screen.period !== "all" ? month : ""} · Daybook`,
		);
		expect(await page.locator("h1").count()).toBe(1);
		expect(await page.locator("[role=alert]").allTextContents()).toEqual([]);
		expect(await visitor.barriers()).toEqual([]);
		expect(await visitor.barriersIn("dark")).toEqual([]);
	},
);

test.each(shownViews)("%s keeps nobody out in either theme", async (view) => {
	await visitor.see(view);
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.barriersIn("dark")).toEqual([]);
});
