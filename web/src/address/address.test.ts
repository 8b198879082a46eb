import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

// These replace the location and the history of a browser.
const place = { hash: "" };
let scrollHistory: string[] = [];
let rest = 0;
let listeners: [event: string, listener: () => void][] = [];
const happened = (event: string) => listeners.filter(([of]) => of === event).forEach(([, listener]) => listener());
const changed = () => happened("hashchange");
const hidden = () => happened("pagehide");

async function opened(hash: string) {
	place.hash = hash;
	scrollHistory = [hash];
	vi.resetModules();
	vi.stubGlobal("location", place);
	vi.stubGlobal("history", {
		pushState: (_: unknown, __: string, href: string) => {
			place.hash = href;
			scrollHistory.push(href);
		},
		replaceState: (_: unknown, __: string, href: string) => {
			place.hash = href;
			scrollHistory[scrollHistory.length - 1] = href;
		},
	});
	listeners = [];
	vi.stubGlobal("addEventListener", (...listener: [string, () => void]) => listeners.push(listener));
	vi.stubGlobal("scrollY", 0);
	const { address, rest: pause } = await import("./address.svelte");
	rest = pause;
	return address;
}

beforeEach(() => vi.unstubAllGlobals());

// The first import compiles the module, which takes long on a busy machine.
beforeAll(() => opened(""), 60_000);

describe("address", () => {
	it("reads the screen and its parameters", async () => {
		const address = await opened("#/variance?year=2026&dept=R%26D+%3F");
		expect(address.screen).toBe("variance");
		expect(address.get("year")).toBe("2026");
		expect(address.get("dept")).toBe("R&D ?");
		expect(address.get("period")).toBe("");
	});

	it.each(["", "#", "#/", "#/?year=2026"])("opens the overview at %j", async (hash) => {
		expect((await opened(hash)).screen).toBe("overview");
	});

	it("accepts an address with invalid escapes", async () => {
		const address = await opened("#/%E0%A4%A?year=%E0%A4%A");
		expect(address.screen).toBe("%E0%A4%A");
	});

	it("keeps only the shared parameters for another screen", async () => {
		const address = await opened("#/alerts?year=2026&period=6&currency=EUR&threshold=5");
		expect(address.href("variance")).toBe("#/variance?year=2026&period=6&currency=EUR");
		expect(address.href("variance", { currency: "", gl_code: "4000" })).toBe(
			"#/variance?year=2026&period=6&gl_code=4000",
		);
		expect(address.here({ only: "unfavourable" })).toBe(
			"#/alerts?year=2026&period=6&currency=EUR&threshold=5&only=unfavourable",
		);
	});

	it("adds a step to the history, or replaces one", async () => {
		const address = await opened("#/alerts");
		address.change({ threshold: "5" });
		address.change({ threshold: "6" }, { replace: true });
		address.change({ threshold: "6" });
		expect(scrollHistory).toEqual(["#/alerts", "#/alerts?threshold=6"]);
		expect(address.get("threshold")).toBe("6");
	});

	it("applies a slider at once, and writes the address when the slider rests", async () => {
		vi.useFakeTimers();
		const address = await opened("#/alerts?only=unfavourable");
		const wrote = vi.spyOn(history, "replaceState");
		for (let threshold = 1; threshold <= 50; threshold++) {
			address.change({ threshold: String(threshold) }, { rests: true });
			expect(address.get("threshold")).toBe(String(threshold));
			vi.advanceTimersByTime(rest - 1);
		}
		expect(wrote).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(wrote).toHaveBeenCalledTimes(1);
		expect(scrollHistory).toEqual(["#/alerts?only=unfavourable&threshold=50"]);
		vi.useRealTimers();
	});

	it("writes a waiting address before another step, and before the page is left", async () => {
		vi.useFakeTimers();
		const address = await opened("#/alerts");
		address.change({ threshold: "5" }, { rests: true });
		address.go("variance");
		expect(scrollHistory).toEqual(["#/alerts?threshold=5", "#/variance"]);
		address.change({ view: "heatmap" }, { rests: true });
		hidden();
		expect(place.hash).toBe("#/variance?view=heatmap");
		address.change({ view: "" }, { rests: true });
		address.change({ view: "waterfall" }, { replace: true });
		vi.advanceTimersByTime(rest);
		expect(scrollHistory).toEqual(["#/alerts?threshold=5", "#/variance?view=waterfall"]);
		vi.useRealTimers();
	});

	it("updates only the readers of a changed parameter", async () => {
		const address = await opened("#/trades?symbol=ACME");
		// Imported here, so that it uses the same copy of Svelte as the address.
		const { watched } = await import("./address.test.svelte");
		const seen = watched(() => address.get("symbol"));
		address.change({ open: "7" });
		expect(seen.values()).toEqual(["ACME"]);
		address.change({ symbol: "OTHER" });
		expect(seen.values()).toEqual(["ACME", "OTHER"]);
		seen.end();
	});

	it("follows the back button", async () => {
		const address = await opened("#/alerts");
		address.go("variance");
		place.hash = "#/alerts";
		changed();
		expect(address.screen).toBe("alerts");
	});
});
