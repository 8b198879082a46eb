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

test("a body of many bytes has more time, and each piece of an answer starts the wait again", async () => {
	const late = vi.fn();
	const sent = new Promise((resolve) => setTimeout(() => resolve("answer"), 100_000));
	const large = withTimeout(() => sent, undefined, late, 16 * 50_000);
	await vi.advanceTimersByTimeAsync(100_000);
	expect(await large).toBe("answer");
	const slow = withTimeout(
		async (signal, heard) => {
			for (let i = 0; i < 5; i++) {
				await new Promise((resume) => setTimeout(resume, 50_000));
				heard();
			}
			return never(signal);
		},
		undefined,
		late,
	);
	const ended = expect(slow).rejects.toMatchObject({ name: "TimeoutError" });
	await vi.advanceTimersByTimeAsync(300_000);
	expect(late).not.toHaveBeenCalled();
	await vi.runAllTimersAsync();
	await ended;
	expect(late).toHaveBeenCalledOnce();
});
