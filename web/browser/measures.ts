import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Program } from "./program.ts";
import { open } from "./visitor.ts";

/** The rounds of each measurement. It alternates with its reference, so that both see the same machine. */
const rounds = Number(process.env.ROUNDS ?? 5);

/** A printed row: the milliseconds of each round. */
interface Measured {
	what: string;
	ours: number[];
	reference: number[];
	against: string;
	/** The limit in milliseconds. */
	goal: number;
}

const table: Measured[] = [];
let browser: Browser;
let program: Program;
let reference: Server;
let referred: string;
beforeAll(async () => {
	reference = createServer(least).listen(0, "127.0.0.1");
	browser = await open();
	program = await new Program().demo("--trades", "1000000").start();
	referred = `http://127.0.0.1:${(reference.address() as AddressInfo).port}`;
}, 300_000);
afterAll(async () => {
	await browser?.close();
	await program?.end();
	reference?.close();
	console.log(
		"median of",
		rounds,
		"rounds, by turns; the reference; ours by the reference (least, most); the goal, and whether it is held",
	);
	for (const row of table) print(row);
});

/**
 * The smallest possible page of figures: a document, a script, one answer, one figure; and rows without a program
 * behind them.
 */
const least: RequestListener = (request, response) => {
	const files: Record<string, [type: string, body: string]> = {
		"/": ["text/html", '<!doctype html><title>Least</title><script type="module" src="/page.js"></script>'],
		"/page.js": [
			"text/javascript",
			`const { figure } = await (await fetch("/figure")).json();
			document.body.innerHTML = '<main><span class="figure">' + figure + "</span></main>";`,
		],
		"/figure": ["application/json", '{"figure": 1}'],
		"/rows": [
			"text/html",
			`<!doctype html><title>Rows</title><style>p { margin: 0; line-height: 32px }</style><main><div style="height: 700px; overflow: auto">${"<p>row</p>".repeat(10_000)}</div></main>`,
		],
	};
	const [type, body] = files[request.url ?? ""] ?? ["text/plain", ""];
	response.writeHead(body ? 200 : 404, { "Content-Type": type, "Cross-Origin-Opener-Policy": "same-origin" }).end(body);
};

test("the first figure", { timeout: rounds * 120_000 }, async () => {
	const rows: Record<string, Measured> = {};
	for (const visit of ["first visit", "new process", "reload"] as const)
		table.push(
			(rows[visit] = { what: `first figure, ${visit}`, ours: [], reference: [], against: "the least page", goal: 150 }),
		);
	for (let round = 0; round <= rounds; round++) {
		for (const [side, origin] of [
			["ours", program.origin],
			["reference", referred],
		] as const) {
			const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
			await context.addInitScript(watch);
			const page = await context.newPage();
			await page.waitForTimeout(settling);
			const note = (visit: string, took: number) => round > 0 && rows[visit]?.[side].push(took);
			note("first visit", await visited(page, () => page.goto(origin)));
			note("reload", await visited(page, () => page.reload()));
			// A page of another site gets a process of its own, and so do the pages after it.
			await page.goto(referred.replace("127.0.0.1", "localhost"));
			await page.waitForTimeout(settling);
			note("new process", await visited(page, () => page.goto(origin)));
			await context.close();
		}
	}
});

/** After opening a window or a page the browser is busy for this many milliseconds. */
const settling = 2000;

/** Runs in the page: the time from the last byte of the document to the first figure in it, before paint. */
function watch() {
	const watched = new MutationObserver(() => {
		if (!document.querySelector("main .figure")) return;
		watched.disconnect();
		const [document_] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
		Object.assign(globalThis, { took: performance.now() - (document_?.responseEnd ?? Number.NaN) });
	});
	watched.observe(document, { childList: true, subtree: true });
}

/** Asking the page whether it is ready would slow it down, so it is left alone. */
async function visited(page: Page, go: () => Promise<unknown>): Promise<number> {
	await go();
	await page.waitForTimeout(settling);
	return page.evaluate(() => (globalThis as unknown as { took: number }).took);
}

test("scrolling in the list of a million trades", { timeout: rounds * 120_000 }, async () => {
	const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
	for (const step of [40, 400]) {
		const row: Measured = {
			what: `a frame, ${step} px further`,
			ours: [],
			reference: [],
			against: "10,000 plain rows",
			goal: 50,
		};
		table.push(row);
		for (let round = 0; round < rounds; round++) {
			await page.goto(`${program.origin}/#/trades`);
			await page.locator("tbody tr[data-row]").first().waitFor();
			row.ours.push(await frame(page, step));
			await page.goto(`${referred}/rows`);
			row.reference.push(await frame(page, step));
		}
	}
	await page.close();
});

/** frame returns the 95th percentile of the frame times of a scroll. Each frame shows a row in its middle. */
async function frame(page: Page, step: number): Promise<number> {
	await page.waitForTimeout(settling);
	return page.evaluate(async (step) => {
		const box = [...document.querySelectorAll("main *")].find((e) => e.scrollHeight > e.clientHeight + 200);
		if (!box) throw new Error("there is nothing to scroll");
		const { left, top, height } = box.getBoundingClientRect();
		const took: number[] = [];
		for (let last = performance.now(); took.length < 200; ) {
			box.scrollTop += step;
			await new Promise(requestAnimationFrame);
			const now = performance.now();
			took.push(now - last);
			last = now;
			if (!document.elementFromPoint(left + 200, top + height / 2)?.closest("tr[data-row], p"))
				throw new Error("a blank row");
		}
		return took.sort((a, b) => a - b)[189] ?? Number.NaN;
	}, step);
}

/** A row of our figures beside the reference; a missing measurement fails. */
function print({ what, ours, reference, against, goal }: Measured): void {
	expect([...ours, ...reference].every(Number.isFinite) && ours.length === rounds, what).toBe(true);
	const ratios = ours.map((took, i) => took / (reference[i] ?? Number.NaN)).sort((a, b) => a - b);
	const ms = (list: number[]) => `${median(list).toFixed(0)} ms`;
	console.log(
		what.padEnd(28),
		ms(ours).padStart(7),
		`${ms(reference)}, ${against}`.padEnd(28),
		`${median(ratios).toFixed(1)} (${ratios[0]?.toFixed(1)}, ${ratios.at(-1)?.toFixed(1)})`.padEnd(16),
		`<= ${goal} ms`,
		median(ours) <= goal ? "yes" : "no",
	);
}

function median(list: number[]): number {
	return list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}
