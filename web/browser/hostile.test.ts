import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compoundKey } from "../src/address/compoundKey.ts";
import { paired } from "../src/format/bidi.ts";
import { screens } from "../src/screens/screens.ts";
import { Program } from "./program.ts";
import { open, Visitor } from "./visitor.ts";

/** Each would call `hit` if the page used stored text as anything but text. */
const payloads = [
	`<script>hit("script")</script>`,
	`<img src=x onerror=hit("img")>`,
	`<svg/onload=hit("svg")>`,
	`"><iframe srcdoc="<script>parent.hit('srcdoc')</script>">`,
	`javascript:hit("url")`,
	`'"\`\${hit("template")}{{hit("braces")}}{@html hit("svelte")}`,
	`</title></style></textarea><script>hit("closing")</script>`,
	`<math><mtext><img src=x onerror=hit("math")>`,
	`%3Cscript%3Ehit("encoded")%3C/script%3E`,
	`‮<b onmouseover=hit("rtl")>מזומן`,
];

/** As names they would reorder the text beside them; the second one first ends its isolation. */
const turning = ["\u202e.sdrawkcab", "\u2069\u2069\u202e.sdrawkcab", "סך הכול"];
payloads.push(...turning);

let browser: Browser;
let program: Program;
beforeAll(async () => {
	[browser, program] = await Promise.all([open(), new Program().start()]);
	for (const [i, payload] of payloads.entries()) await store(i + 1, payload);
});
afterAll(async () => {
	await browser?.close();
	await program?.end();
});

/** store puts the payload into every text field. */
async function store(n: number, payload: string): Promise<void> {
	const plain = payload.replaceAll(/\p{Cf}/gu, ""); // codes and symbols have none of these characters
	const short = plain.slice(0, 64);
	await program.post("/api/v1/department/create", {
		code: `${n}${short}`.slice(0, 64),
		name: payload,
		cost_center: payload,
	});
	await program.post("/api/v1/gl-accounts", { code: `${n}${short}`.slice(0, 64), description: payload, type: "opex" });
	const key = { department_id: n, gl_account_id: n, fiscal_year: 2026, fiscal_period: 6, currency: "EUR" };
	await program.post("/api/v1/budget/create", { ...key, amount: n, notes: payload });
	await program.post("/api/v1/actuals/ingest", { ...key, amount: 100 * n, source: plain });
	await program.post("/currency/add", { code: `CUR${n}`, name: payload });
	await program.post("/company/add", { name: payload, price: n });
	await program.post("/company/revenue/add", { company_id: n, category: payload, amount: n });
	await program.post("/trade/add", {
		symbol: short,
		currency_code: "EUR",
		shares: n,
		product: 0,
		price: n,
		type: true,
	});
}

async function visit(screen: string): Promise<string[]> {
	const visitor = await Visitor.of(browser, program.origin);
	await visitor.page.addInitScript(() => {
		Object.assign(globalThis, { hit: (by: string) => console.error(`ran: ${by}`) });
	});
	await visitor.see(screen);
	for (const row of await visitor.page.locator("main tbody tr").all())
		await row.hover({ force: true, timeout: 2000 }).catch(() => {});
	const row = visitor.page.locator("main tbody button[aria-expanded=false]").first();
	if (await row.count()) await row.click();
	visitor.complaints.push(...(await turned(visitor)));
	await visitor.page.keyboard.press("Control+k");
	await visitor.page.keyboard.type("1");
	await visitor.settled();
	visitor.complaints.push(...(await turned(visitor)));
	const { complaints } = visitor;
	await visitor.end();
	return complaints;
}

/** turned returns what could reorder the text beside it, and the right-to-left texts on the page. */
async function turned(visitor: Visitor): Promise<string[]> {
	const { said, backwards } = await visitor.page.evaluate(() => {
		const said: string[] = [document.title];
		const backwards: string[] = [];
		const all = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
		const place = (text: Text, at: number) => {
			const range = document.createRange();
			range.setStart(text, at);
			range.setEnd(text, at + 1);
			return range.getBoundingClientRect();
		};
		for (let node = all.nextNode(); node; node = all.nextNode()) {
			if (node instanceof Element) said.push(...Array.from(node.attributes, (a) => a.value));
			if (!(node instanceof Text)) continue;
			said.push(node.data);
			const words = /^\s*(?=[\x20-\x7e\s]*$)([^\s]+( [^\s]+)*)/.exec(node.data);
			if (!words?.[1] || words[1].length < 2) continue;
			const [first, last] = [place(node, words[0].length - words[1].length), place(node, words[0].length - 1)];
			if (first.width > 0 && last.width > 0 && first.top === last.top && first.left >= last.left)
				backwards.push(node.data);
		}
		return { said, backwards };
	});
	return [
		...said.filter((text) => text !== paired(text)).map((text) => `unpaired: ${JSON.stringify(text)}`),
		...backwards.map((text) => `backwards: ${text}`),
	];
}

const month = "year=2026&period=6";
const views = [
	...screens.map((s) => `${s.id}?${month}`),
	...["currencies", "departments", "accounts"].map((view) => `reference?view=${view}`),
	...["heatmap", "waterfall"].map((view) => `variance?${month}&view=${view}`),
	...payloads
		.slice(0, 3)
		.map((p, i) => `variance?${month}&line=${encodeURIComponent(compoundKey([`${i + 1}${p}`.slice(0, 64)]))}`),
];

test.each(views)("what is stored is only text on %s", async (view) => {
	expect(await visit(view)).toEqual([]);
});

test("what is stored is only text in an answer that is tried out", async () => {
	const visitor = await Visitor.of(browser, program.origin);
	await visitor.page.addInitScript(() => {
		Object.assign(globalThis, { hit: (by: string) => console.error(`ran: ${by}`) });
	});
	await visitor.see("api?view=budget");
	await visitor.page.locator("#operation-listDepartments").getByRole("button", { name: "Send" }).click();
	const body = visitor.page.getByRole("region", { name: /^Response, GET/ });
	const shown = await body.innerText();
	// JSON in a browser tab has the same texts.
	expect(JSON.parse(shown)).toEqual(await program.get("/api/v1/department/list"));
	expect(shown).toContain("<img src=x onerror=");
	expect(await turned(visitor)).toEqual([]);
	expect(visitor.complaints).toEqual([]);
	await visitor.end();
});

test.each(payloads)("what an address says is only text: %s", async (payload) => {
	const said = encodeURIComponent(payload);
	const complaints = await visit(
		`variance?year=2026&period=6&dept=${said}&currency=${said}&version=${said}&line=${said}`,
	);
	// The server refuses such an address, and the browser reports it.
	expect(complaints.filter((c) => !/status of 4\d\d/.test(c))).toEqual([]);
});

test("a name that turns what is beside it would be noticed", async () => {
	const visitor = await Visitor.of(browser, program.origin);
	await visitor.see("status");
	expect(await turned(visitor)).toEqual([]);
	await visitor.page.evaluate(() => {
		const line = document.createElement("p");
		const name = document.createElement("span"); // this alone does not isolate it
		name.textContent = "\u2069\u202e.sdrawkcab";
		line.append(name, document.createTextNode(" 1,234 EUR"));
		document.querySelector("main")?.append(line);
	});
	expect(await turned(visitor)).toEqual(['unpaired: "\u2069\u202e.sdrawkcab"', "backwards:  1,234 EUR"]);
	await visitor.end();
});

test("a script that runs would be noticed", async () => {
	const visitor = await Visitor.of(browser, program.origin);
	await visitor.see("status");
	await visitor.page.evaluate(() => console.error("ran: control"));
	expect(visitor.complaints).toEqual(["console: ran: control"]);
	// The policy of the page is a second line of defence: an injected script does not run.
	await visitor.page.evaluate(() => {
		const script = document.createElement("script");
		script.textContent = "document.title = 'ran'";
		document.head.append(script);
	});
	expect(await visitor.page.title()).not.toBe("ran");
	await visitor.end();
});
