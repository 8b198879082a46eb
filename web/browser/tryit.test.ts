import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { stage } from "./stage.ts";
import { type Theme, Visitor } from "./visitor.ts";

const on = stage();

/** operation returns the part of the screen about an operation. */
const operation = (id: string, { page } = on.visitor) => page.locator(`#operation-${id}`);
const body = (of: Locator) => of.getByRole("region", { name: /^Response, / });

test("an answer that is tried out is shown as it was sent, and indented with the same digits", async () => {
	await on.program.buy({ symbol: "VAST", shares: "9007199254740993", price: "0.12345678" });
	await on.visitor.see("api?view=trading&at=pageTrades");
	const trades = operation("pageTrades");
	const symbol = trades.getByRole("textbox", { name: "symbol" });
	await symbol.fill("VAST");
	await trades.getByLabel("sort").selectOption("-date");
	await symbol.press("Enter");
	await trades.getByText("200 OK").waitFor();
	const path = "/api/v1/trades?sort=-date&symbol=VAST";
	const sent = await (await fetch(on.program.origin + path)).text();
	expect(sent).toContain('"shares":9007199254740993,"product":0,"type":true,"price":0.12345678');
	expect(await body(trades).textContent()).toBe(sent);
	expect(await trades.getByRole("link", { name: "GET /api/v1/trades" }).last().getAttribute("href")).toBe(path);
	expect(await trades.getByText(`curl '${on.program.origin}${path}'`).count()).toBe(1);
	await trades.getByRole("link", { name: "Indented" }).click();
	expect(on.here()).toContain("body=indented");
	expect(await body(trades).innerText()).toContain('\n      "shares": 9007199254740993,\n');
	expect(await body(trades).innerText()).toContain('\n      "price": 0.12345678,\n');
});

test("a list that is read by POST is a read, and of a long one the beginning is shown", async () => {
	await on.visitor.see("api?view=trading");
	for (const id of ["listTrades", "listTradesByPost"]) {
		const list = operation(id);
		await list.getByRole("button", { name: "Send" }).click();
		await list.getByText("Only the beginning of the body is shown.").waitFor();
		const sent = await (await fetch(`${on.program.origin}/trade/list`)).text();
		expect(await body(list).textContent()).toBe(sent.slice(0, 200_000));
	}
});

test("what writes, or does not end, has a curl line and no button that sends it", async () => {
	await on.visitor.see("api?view=budget");
	const asked: string[] = [];
	on.visitor.page.on("request", (request) => asked.push(request.method()));
	for (const [id, line] of [
		[
			"ingestActual",
			/ -X POST -H 'Content-Type: application\/json' -d '\{"department_id":1,.*\}' '.*\/actuals\/ingest'$/,
		],
		["deleteActual", / -X DELETE '.*\/api\/v1\/actuals\/1'$/],
	] as const) {
		expect(await operation(id).getByRole("region", { name: "curl command" }).innerText()).toMatch(line);
		expect(await operation(id).getByRole("button", { name: "Send" }).count()).toBe(0);
	}
	await on.visitor.see("api?view=beside");
	expect(await operation("getEvents").getByRole("button", { name: "Send" }).count()).toBe(0);
	const sending = await on.visitor.page.getByRole("button", { name: "Send" }).all();
	expect(sending.length).toBeGreaterThan(5);
	for (const button of sending) await button.click();
	await on.visitor.settled();
	expect(new Set(asked)).toEqual(new Set(["GET"]));
	// The example file belongs to another build, and the demo has no import, no rows of one, no batch and no map.
	expect(on.visitor.complaints.splice(0)).toEqual(Array(5).fill(expect.stringMatching(/status of 404/)));
});

test("a server that does not answer is told of, and another request is sent again", async () => {
	await on.visitor.see("api?view=budget");
	const { page } = on.visitor;
	const variance = operation("getVariance");
	await page.route("**/api/v1/variance?*", (route) => route.abort());
	await variance.getByRole("button", { name: "Send" }).click();
	await variance.getByText("The server does not answer.").waitFor();
	await page.unroute("**/api/v1/variance?*");
	await variance.getByRole("button", { name: "Send" }).click();
	await variance.getByText("200 OK").waitFor();
	expect(await variance.getByRole("alert").count()).toBe(0);
	expect(on.visitor.complaints.splice(0)).toEqual([expect.stringMatching(/ERR_FAILED/)]);
});

test("an operation has an address, which leads there by key too", async () => {
	const { page } = on.visitor;
	await on.visitor.see("api?view=budget&at=getVariance");
	const heading = page.getByRole("heading", { name: "GET /api/v1/variance Report", level: 4 });
	expect(await heading.evaluate((h) => h.getBoundingClientRect().top)).toBeLessThan(200);
	await page.keyboard.press("Tab");
	expect(await page.evaluate(() => document.activeElement?.getAttribute("href"))).toBe(on.here());
	// Required fields start with an example.
	while ((await page.evaluate(() => document.activeElement?.textContent)) !== "Send") await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await operation("getVariance").getByText("200 OK").waitFor();
	expect(on.here()).toContain("at=getVariance");
});

test.each<[Theme, number]>([
	["dark", 1280],
	["light", 390],
])(
	"what is tried out keeps nobody out, %s at %i pixels, and a refusal is what the interface says",
	async (theme, width) => {
		const visitor = await Visitor.of(on.browser, on.program.origin, theme);
		await visitor.page.setViewportSize({ width, height: 900 });
		await visitor.see("api?view=beside&at=pageJournal");
		const journal = operation("pageJournal", visitor);
		await journal.getByLabel("entity_id").fill("x");
		await journal.getByRole("button", { name: "Send" }).click();
		await journal.getByRole("status").getByText("400 Bad Request").waitFor();
		const refusal = await (await fetch(`${on.program.origin}/api/v1/journal?entity_id=x`)).text();
		expect(await body(journal).textContent()).toBe(refusal);
		await journal.getByText("Fields and example").first().click();
		await journal.getByText("A word that a program can act on.").waitFor();
		expect(await visitor.barriers()).toEqual([]);
		expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
		// The browser reports every error response.
		expect(visitor.complaints).toEqual([expect.stringMatching(/status of 400/)]);
		await visitor.end();
	},
);
