import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** open starts the browser that the make target found. */
export function open(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM;
	if (!executablePath) throw new Error("CHROMIUM names no browser; make browser sets it");
	return chromium.launch({
		executablePath,
		args: [
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
		],
	});
}

/** hold returns a promise that waits for its release. */
export function hold(): { held: Promise<void>; release: () => void } {
	let release = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	return { held, release };
}

export type Theme = "light" | "dark";

/** A Visitor opens the page and collects complaints: errors, warnings, and requests to other servers. */
export class Visitor {
	readonly complaints: string[] = [];
	readonly #asked = new Set<Request>();

	private constructor(
		readonly context: BrowserContext,
		readonly page: Page,
		readonly origin: string,
	) {}

	static async of(browser: Browser, origin: string, theme: Theme = "light"): Promise<Visitor> {
		const context = await browser.newContext({
			colorScheme: theme,
			locale: "en-GB",
			timezoneId: "UTC",
			reducedMotion: "reduce",
			viewport: { width: 1440, height: 900 },
		});
		const page = await context.newPage();
		const visitor = new Visitor(context, page, origin);
		page.on("console", (message) => {
			if (message.type() === "error" || message.type() === "warning") visitor.#note(`console: ${message.text()}`);
		});
		page.on("pageerror", (error) => visitor.#note(`error: ${error.message}`));
		page.on("dialog", (dialog) => {
			visitor.#note(`dialog: ${dialog.message()}`);
			void dialog.dismiss();
		});
		page.on("request", (request) => {
			if (new URL(request.url()).origin !== origin && !request.url().startsWith("data:"))
				visitor.#note(`asked elsewhere: ${request.url()}`);
			// The shared worker and its stream never report their end.
			if (!/\/events$|\/stream\.worker-/.test(request.url())) visitor.#asked.add(request);
		});
		for (const end of ["requestfinished", "requestfailed"] as const)
			page.on(end as "requestfinished", (request) => visitor.#asked.delete(request));
		return visitor;
	}

	/** see opens a screen by its address and waits until it is complete. */
	async see(screen: string): Promise<void> {
		const address = `${this.origin}/#/${screen}`;
		if (this.page.url().startsWith(this.origin)) {
			// A new step of the history that is loaded again, in the same process.
			await this.page.evaluate((to) => history.pushState(null, "", to), address);
			await this.page.reload();
		} else await this.page.goto(address);
		await this.settled();
	}

	/** settled waits until no request is under way and all visible charts are drawn. */
	async settled(): Promise<void> {
		await this.page.locator("h1").waitFor();
		for (let quiet = 0; quiet < 4; quiet = this.#asked.size === 0 ? quiet + 1 : 0) await this.page.waitForTimeout(50);
		await this.page.waitForFunction(() => {
			const seen = (e: Element) => e.getBoundingClientRect().top < innerHeight;
			return [...document.querySelectorAll(".chart .drawing")].every((e) => !seen(e) || e.firstElementChild);
		});
	}

	/** barriers returns what axe finds, one line each. */
	barriers(): Promise<string[]> {
		return this.#examine({});
	}

	/** barriersIn returns what axe finds in the colours of a theme. All else is the same in both themes. */
	async barriersIn(theme: Theme): Promise<string[]> {
		await this.page.emulateMedia({ colorScheme: theme });
		await this.page.locator(`html[data-theme=${theme}]`).waitFor({ state: "attached" });
		return this.#examine({ runOnly: ["color-contrast", "link-in-text-block"] });
	}

	async #examine(options: { runOnly?: string[] }): Promise<string[]> {
		await this.page.evaluate(axe);
		const found = await this.page.evaluate(async (options) => {
			const { axe } = globalThis as unknown as { axe: { run: (o: unknown) => Promise<{ violations: Violation[] }> } };
			return (await axe.run({ ...options, resultTypes: ["violations"] })).violations;
		}, options);
		return found.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(" ")}`));
	}

	async end(): Promise<void> {
		await this.context.close();
	}

	#note(complaint: string): void {
		this.complaints.push(complaint);
	}
}

interface Violation {
	id: string;
	nodes: { target: string[] }[];
}
