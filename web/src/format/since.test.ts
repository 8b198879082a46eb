import { flushSync } from "svelte";
import { afterEach, expect, it, vi } from "vitest";
import { watched } from "./since.test.svelte";

afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

it("updates while the page is visible, and stops while it is hidden", async () => {
	vi.useFakeTimers({ now: Date.UTC(2026, 0, 15, 12) });
	const page = Object.assign(new EventTarget(), { hidden: false });
	vi.stubGlobal("document", page);
	const { said, destroy } = watched("2026-01-15T12:00:00Z");
	await vi.advanceTimersByTimeAsync(60_000);
	flushSync();
	expect([said[0], said.at(-1)]).toEqual(["now", "1 minute ago"]);

	page.hidden = true;
	await vi.advanceTimersByTimeAsync(120_000);
	flushSync();
	expect(said.at(-1)).toBe("1 minute ago");

	page.hidden = false;
	page.dispatchEvent(new Event("visibilitychange"));
	flushSync();
	expect(said.at(-1)).toBe("3 minutes ago");
	destroy();
	await vi.advanceTimersByTimeAsync(0);
	expect(vi.getTimerCount()).toBe(0);
});
