import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withTimeout } from "./timeout";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** never returns a promise that ends only when its signal aborts it. */
const never = (signal: AbortSignal) =>
	new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason);
		signal.addEventListener("abort", () => reject(signal.reason));
	});

test("an answer in time is returned, and no timeout is reported", async () => {
	const late = vi.fn();
	expect(await withTimeout(async () => "answer", undefined, late)).toBe("answer");
	await vi.runAllTimersAsync();
	expect(late).not.toHaveBeenCalled();
});

test("a request ends after the timeout, or when the caller aborts it", async () => {
	const late = vi.fn();
	const asked = expect(withTimeout(never, undefined, late)).rejects.toMatchObject({ name: "TimeoutError" });
	await vi.runAllTimersAsync();
	await asked;
	expect(late).toHaveBeenCalledOnce();
	const caller = new AbortController();
	const ended = expect(withTimeout(never, caller.signal, late)).rejects.toBe("left");
	caller.abort("left");
	await ended;
	await expect(withTimeout(never, caller.signal, late)).rejects.toBe("left");
	expect(late).toHaveBeenCalledOnce();
});
