import { flushSync } from "svelte";
import { afterEach, expect, it, vi } from "vitest";

type Changed = () => void;
const listeners = new Map<Changed, readonly string[]>();
vi.mock("./events.svelte", () => ({
	events: {
		listen(entities: readonly string[], changed: Changed) {
			listeners.set(changed, entities);
			return () => listeners.delete(changed);
		},
	},
}));

import { ApiError } from "./error";
import { counter, lived } from "./live.test.svelte";
import { pending } from "./pending.svelte";

/** Requests that the test answers. */
function request() {
	const asked: { signal: AbortSignal; answer: (value: string) => void; refuse: (error: Error) => void }[] = [];
	const load = (signal: AbortSignal) =>
		new Promise<string>((answer, refuse) => {
			asked.push({ signal, answer, refuse });
		});
	return { asked, load };
}

const settled = async () => {
	await new Promise((next) => setTimeout(next));
	flushSync();
};

let end = () => {};
afterEach(() => end());

it("loads at once, and keeps the old answer while it loads again", async () => {
	const { asked, load } = request();
	const { live, destroy } = lived(load);
	end = destroy;
	expect(live.loading).toBe(true);
	asked[0]?.answer("first");
	await settled();
	expect([live.value, live.loading]).toEqual(["first", false]);
	live.again();
	flushSync();
	expect([live.value, live.loading, asked.length]).toEqual(["first", true, 2]);
});

it("aborts an older request, and drops its answer", async () => {
	const { asked, load } = request();
	const count = counter();
	const { live, destroy } = lived((signal) => {
		void count.value;
		return load(signal);
	});
	end = destroy;
	count.value++;
	flushSync();
	expect(asked.map((a) => a.signal.aborted)).toEqual([true, false]);
	asked[1]?.answer("second");
	await settled();
	asked[0]?.answer("first");
	await settled();
	expect(live.value).toBe("second");
});

it("reports an error beside the old answer, until the next answer", async () => {
	const { asked, load } = request();
	const { live, destroy } = lived(load);
	end = destroy;
	asked[0]?.answer("first");
	await settled();
	live.again();
	flushSync();
	asked[1]?.refuse(new Error("away"));
	await settled();
	expect([live.value, live.error]).toEqual(["first", new Error("away")]);
	live.again();
	flushSync();
	asked[2]?.answer("third");
	await settled();
	expect([live.value, live.error]).toEqual(["third", undefined]);
});

it("asks again after growing pauses while the server does not answer or is busy, and keeps the old answer", async () => {
	vi.useFakeTimers();
	const { asked, load } = request();
	const { live, destroy } = lived(load);
	end = () => {
		destroy();
		vi.useRealTimers();
	};
	const after = async (pause: number) => {
		await vi.advanceTimersByTimeAsync(pause);
		flushSync();
	};
	asked[0]?.answer("first");
	await after(0);
	live.again();
	asked[1]?.refuse(new Error("away"));
	await after(999);
	expect([live.value, asked.length]).toEqual(["first", 2]);
	await after(1);
	asked[2]?.refuse(new ApiError(503, "unavailable", "busy"));
	await after(1999);
	expect([live.value, asked.length]).toEqual(["first", 3]);
	await after(1);
	asked[3]?.answer("second");
	await after(60_000);
	expect([live.value, live.error, asked.length]).toEqual(["second", undefined, 4]);
	live.again();
	asked[4]?.refuse(new ApiError(400, "validation_failed", "wrong"));
	await after(60_000);
	expect([live.value, asked.length]).toEqual([undefined, 5]);
	live.again();
	asked[5]?.refuse(new Error("away"));
	await after(0);
	destroy();
	await after(60_000);
	expect(asked.length).toBe(6);
});

it("marks its answer as stale while it loads another one, and has none if that fails", async () => {
	const { asked, load } = request();
	const month = counter();
	const { live, destroy } = lived((signal) => {
		void month.value;
		return load(signal);
	});
	end = destroy;
	expect(pending.stale).toBe(false);
	asked[0]?.answer("first");
	await settled();
	month.value++;
	flushSync();
	expect([live.value, pending.stale]).toEqual(["first", true]);
	asked[1]?.answer("second");
	await settled();
	expect([live.value, pending.stale]).toEqual(["second", false]);
	live.again();
	flushSync();
	expect(pending.stale).toBe(false);
	month.value++;
	flushSync();
	expect(pending.stale).toBe(true);
	asked[3]?.refuse(new Error("away"));
	await settled();
	expect([live.value, live.error, pending.stale]).toEqual([undefined, new Error("away"), false]);
	month.value++;
	flushSync();
	expect([live.error, pending.stale]).toEqual([undefined, false]);
	asked[4]?.answer("fourth");
	await settled();
	month.value++;
	flushSync();
	expect(pending.stale).toBe(true);
	destroy();
	end = () => {};
	expect(pending.stale).toBe(false);
});

it("loads once more for all changes during a request", async () => {
	const { asked, load } = request();
	const { live, destroy } = lived(load, ["actuals"]);
	end = destroy;
	const [[changed, entities] = []] = [...listeners];
	expect(entities).toEqual(["actuals"]);
	changed?.();
	changed?.();
	flushSync();
	expect(asked.length).toBe(1);
	asked[0]?.answer("first");
	await settled();
	expect([live.value, asked.length]).toEqual(["first", 2]);
	asked[1]?.answer("second");
	await settled();
	expect([live.value, asked.length]).toEqual(["second", 2]);
});

it("ends with its component", async () => {
	const { asked, load } = request();
	const { destroy } = lived(load, ["actuals"]);
	end = () => {};
	destroy();
	expect([asked[0]?.signal.aborted, listeners.size]).toEqual([true, 0]);
});
