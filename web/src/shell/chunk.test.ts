import { afterAll, expect, it, vi } from "vitest";

class Link {
	removed = false;
	remove() {
		this.removed = true;
	}
}

const listeners = new Map<string, (event: { target: unknown }) => void>();
vi.stubGlobal("HTMLLinkElement", Link);
vi.stubGlobal("addEventListener", (name: string, listener: () => void) => listeners.set(name, listener));
const { loadChunk } = await import("./chunk");

const failing = () => Promise.reject(new Error("Unable to preload CSS for /assets/Trades.css"));

afterAll(() => vi.unstubAllGlobals());

it("returns the module, and sends no request", async () => {
	const fetch = vi.fn();
	vi.stubGlobal("fetch", fetch);
	expect(await loadChunk(async () => 1)).toBe(1);
	expect(fetch).not.toHaveBeenCalled();
});

it("distinguishes a server that does not answer from a file that no longer exists", async () => {
	vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
	await expect(loadChunk(failing)).rejects.toThrow("Failed to fetch");
	vi.stubGlobal("fetch", async () => new Response());
	await expect(loadChunk(failing)).rejects.toThrow("could not be loaded");
});

it("removes a style sheet that failed, and nothing else", () => {
	const link = new Link();
	listeners.get("error")?.({ target: link });
	listeners.get("error")?.({ target: {} });
	expect(link.removed).toBe(true);
});
