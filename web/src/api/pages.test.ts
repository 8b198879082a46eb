import { flushSync } from "svelte";
import { afterEach, expect, it, vi } from "vitest";

const listeners = new Set<() => void>();
vi.mock("./events.svelte", () => ({
	events: {
		listen(_: readonly string[], changed: () => void) {
			listeners.add(changed);
			return () => listeners.delete(changed);
		},
	},
}));

import { ApiError } from "./error";
import { whole } from "./pages.svelte";
import { turned } from "./pages.test.svelte";
import { pending } from "./pending.svelte";

/** A list of that many numbers, in pages of two. `asked` has every page that was requested. */
function book(numbers: number) {
	const it = { numbers, asked: [] as (number | undefined)[], broken: false, gone: [] as number[] };
	const load = async (filter: string, after: number | undefined) => {
		it.asked.push(after);
		if (it.broken) throw new Error("away");
		if (after && it.gone.includes(after)) {
			throw new ApiError(400, "validation_failed", "is gone", [{ field: "after", message: "is gone" }]);
		}
		const from = after ?? 0;
		const end = Math.min(from + 2, it.numbers);
		const items = Array.from({ length: end - from }, (_, i) => (filter ? -1 : 1) * (from + i + 1));
		return { items, next: end < it.numbers ? end : null };
	};
	return { it, load };
}

const settled = async () => {
	for (let i = 0; i < 5; i++) await new Promise((next) => setTimeout(next));
	flushSync();
};

const change = async () => {
	for (const changed of listeners) changed();
	flushSync();
	await settled();
};

let end = () => {};
afterEach(() => end());

it("reads the first page at once, and each further page when asked", async () => {
	const { it: list, load } = book(5);
	const { list: read, destroy } = turned(load);
	end = destroy;
	expect(read.begun).toBe(false);
	await settled();
	expect([read.rows, read.complete]).toEqual([[1, 2], false]);
	read.more();
	read.more();
	await settled();
	expect(read.rows).toEqual([1, 2, 3, 4]);
	read.more();
	await settled();
	read.more();
	expect([read.rows, read.complete, list.asked]).toEqual([[1, 2, 3, 4, 5], true, [undefined, 2, 4]]);
});

it("reads a short list to its end", async () => {
	const { load } = book(9);
	const { list, destroy } = turned(load, 5);
	end = destroy;
	await settled();
	expect([list.rows.length, list.complete]).toEqual([6, false]);
});

it("starts over when the address changes, and drops late answers", async () => {
	const { load } = book(5);
	const { list, narrow, destroy } = turned(load);
	end = destroy;
	await settled();
	list.more();
	narrow("other");
	await settled();
	expect(list.rows).toEqual([-1, -2]);
});

it("reads a short list again after a change, and marks a long one as outdated", async () => {
	const short = book(4);
	const { list, destroy } = turned(short.load, 4);
	end = destroy;
	await settled();
	short.it.numbers = 3;
	await change();
	expect([list.rows, list.outdated]).toEqual([[1, 2, 3], false]);
	destroy();

	const long = book(9);
	const other = turned(long.load);
	end = other.destroy;
	await settled();
	other.list.more();
	await settled();
	await change();
	expect([other.list.rows.length, other.list.outdated]).toEqual([4, true]);
	other.list.again();
	flushSync();
	await settled();
	expect([other.list.rows.length, other.list.outdated]).toEqual([2, false]);
});

it("keeps its rows when the next page fails, and retries that page", async () => {
	const { it: list, load } = book(4);
	const { list: read, destroy } = turned(load);
	end = destroy;
	await settled();
	list.broken = true;
	read.more();
	await settled();
	expect([read.rows, (read.error as Error).message]).toEqual([[1, 2], "away"]);
	list.broken = false;
	read.retry();
	await settled();
	expect([read.rows, read.error]).toEqual([[1, 2, 3, 4], undefined]);
});

it("starts over when the server rejects the place of the next page, and reports an error if that fails too", async () => {
	const { it: list, load } = book(9);
	const { list: read, destroy } = turned(load);
	end = destroy;
	await settled();
	read.more();
	await settled();
	list.gone = [4];
	list.asked = [];
	read.more();
	await settled();
	expect([read.rows, read.error, read.beginnings, list.asked]).toEqual([[1, 2], undefined, 2, [4, undefined]]);
	read.more();
	await settled();
	read.more();
	await settled();
	expect([read.rows, read.beginnings]).toEqual([[1, 2], 3]);

	list.gone = [2];
	list.asked = [];
	read.more();
	await settled();
	expect([(read.error as Error).message, list.asked]).toEqual(["is gone", [2]]);
	list.gone = [];
	read.retry();
	flushSync();
	await settled();
	expect([read.rows, read.error, read.complete]).toEqual([[1, 2], undefined, false]);
	read.more();
	await settled();
	expect(read.rows).toEqual([1, 2, 3, 4]);
});

it("starts over for another address after any failure", async () => {
	const { it: list, load } = book(9);
	const { list: read, narrow, destroy } = turned(load);
	end = destroy;
	await settled();
	list.gone = [2];
	read.more();
	await settled();
	expect([read.rows, read.error]).toEqual([[1, 2], undefined]);
	narrow("other");
	await settled();
	list.asked = [];
	read.more();
	await settled();
	expect([read.rows, read.error, list.asked]).toEqual([[-1, -2], undefined, [2, undefined]]);
});

it("shows no rows of another address when the first page fails", async () => {
	const { it: list, load } = book(4);
	const { list: read, narrow, destroy } = turned(load);
	end = destroy;
	await settled();
	await change();
	expect(pending.stale).toBe(false);
	list.broken = true;
	narrow("other");
	expect([read.rows, pending.stale]).toEqual([[1, 2], true]);
	await settled();
	expect([read.rows, (read.error as Error).message, pending.stale]).toEqual([[], "away", false]);
	list.broken = false;
	read.retry();
	flushSync();
	await settled();
	expect([read.rows, read.error]).toEqual([[-1, -2], undefined]);
});

it.each([
	["back, to where it was not read yet", [1, 2, 3, 4, 5], [1, 3, 4, 2, 5], 4, [1, 3, 4, 2, 5]],
	["to the front, where the next page comes after it", [1, 2, 3, 4], [2, 1, 3, 4], 2, [2, 1, 3, 4]],
])("has a record once that moves %s", async (_, before, after, most, want) => {
	let order = before;
	const load = async (_: string, last: number | undefined) => {
		const from = last === undefined ? 0 : order.indexOf(last) + 1;
		const items = order.slice(from, from + 2);
		return { items, next: from + 2 < order.length ? (items[1] as number) : null };
	};
	const { list, destroy } = turned(load, most);
	end = destroy;
	await settled();
	expect(list.rows).toEqual(before.slice(0, most));
	order = after;
	while (!list.complete) {
		list.more();
		await settled();
	}
	expect(list.rows).toEqual(want);
});

it("whole reads a list to its end or to a limit", async () => {
	const { load } = book(5);
	expect(await whole((after: number | undefined) => load("", after), 100)).toEqual({
		items: [1, 2, 3, 4, 5],
		complete: true,
	});
	expect(await whole((after: number | undefined) => load("", after), 3)).toEqual({
		items: [1, 2, 3, 4],
		complete: false,
	});
});

it("counts restarts, and does not count updates", async () => {
	const { load } = book(5);
	const { list: read, destroy } = turned(load);
	end = destroy;
	await settled();
	expect(read.beginnings).toBe(1);
	await change();
	read.more();
	await settled();
	expect(read.beginnings).toBe(1);
	read.again();
	await settled();
	expect(read.beginnings).toBe(2);
});

it("is not loaded if the server refuses the first page", async () => {
	const { it: list, load } = book(5);
	const { list: read, destroy } = turned(load);
	end = destroy;
	await settled();
	list.broken = true;
	read.again();
	await settled();
	expect([read.begun, read.rows]).toEqual([false, []]);
	list.broken = false;
	read.retry();
	await settled();
	expect([read.begun, read.rows]).toEqual([true, [1, 2]]);
});

it("asks again after growing pauses while the server is busy, from where it failed, and keeps its rows", async () => {
	vi.useFakeTimers();
	const { it: list, load } = book(6);
	let refused: Error | undefined;
	const { list: read, destroy } = turned(async (filter, after) => {
		const page = await load(filter, after);
		if (refused) throw refused;
		return page;
	});
	end = () => {
		destroy();
		vi.useRealTimers();
	};
	const after = async (pause: number) => {
		await vi.advanceTimersByTimeAsync(pause);
		flushSync();
	};
	const busy = new ApiError(503, "unavailable", "busy");

	refused = busy;
	await after(999);
	expect([read.begun, read.error, list.asked]).toEqual([false, busy, [undefined]]);
	await after(1);
	expect(list.asked).toEqual([undefined, undefined]);
	refused = undefined;
	await after(2000);
	expect([read.rows, read.error, list.asked.length]).toEqual([[1, 2], undefined, 3]);

	read.more();
	refused = busy;
	await after(0);
	refused = undefined;
	await after(1000);
	expect([read.rows, read.error, list.asked.slice(3)]).toEqual([[1, 2, 3, 4], undefined, [2, 2]]);

	refused = new ApiError(400, "validation_failed", "wrong");
	read.more();
	await after(60_000);
	expect([read.rows, read.error, list.asked.slice(5)]).toEqual([[1, 2, 3, 4], refused, [4]]);

	refused = busy;
	read.retry();
	await after(0);
	destroy();
	await after(60_000);
	expect(list.asked.slice(6)).toEqual([4]);
});

it("keeps the rows of a short list that it reads again, and asks again for as many", async () => {
	vi.useFakeTimers();
	const { it: list, load } = book(4);
	const { list: read, destroy } = turned(load, 4);
	end = () => {
		destroy();
		vi.useRealTimers();
	};
	await vi.advanceTimersByTimeAsync(0);
	flushSync();
	list.broken = true;
	for (const changed of listeners) changed();
	await vi.advanceTimersByTimeAsync(3000);
	expect([read.rows, (read.error as Error).message]).toEqual([[1, 2, 3, 4], "away"]);
	list.broken = false;
	list.numbers = 3;
	await vi.advanceTimersByTimeAsync(4000);
	expect([read.rows, read.error, read.beginnings]).toEqual([[1, 2, 3], undefined, 1]);
});
