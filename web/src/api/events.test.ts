import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const session = vi.hoisted(() => ({ load: () => Promise.resolve() }));
vi.mock("./session.svelte", () => ({ session }));
const timedOut = vi.hoisted(() => ({ tell: () => {} }));
vi.mock("./client", () => ({
	sharedReads: { forget: () => {} },
	whenTimedOut: (tell: () => void) => {
		timedOut.tell = tell;
	},
}));

/** Replaces EventSource. `all` has every stream that was opened. */
class Stream extends EventTarget {
	static all: Stream[] = [];
	closed = false;

	constructor(readonly address: string) {
		super();
		Stream.all.push(this);
	}

	close() {
		this.closed = true;
	}

	tell(seq: number, ...entities: string[]) {
		this.say(seq, hashOf(seq), ...entities);
	}

	say(seq: number, hash: string, ...entities: string[]) {
		this.dispatchEvent(Object.assign(new Event("changed"), { data: JSON.stringify({ seq, hash, entities }) }));
	}

	async fail() {
		this.dispatchEvent(new Event("error"));
		await vi.advanceTimersByTimeAsync(0);
	}
}

/** The hash of an entry in a database that was not restored. */
const hashOf = (seq: number) => `${seq} as it was`;

const newest = () => Stream.all.at(-1) as Stream;

let page: EventTarget & { hidden: boolean };
let end = () => {};

/** The newest journal entry when the page starts. */
const begun = 1;

async function started(seq = begun) {
	const { events } = await import("./events.svelte");
	const told: string[] = [];
	const never = events.listen(["trades"], () => told.push("trades"));
	const stop = events.start(hashOf(seq));
	end = () => {
		stop();
		never();
	};
	return { events, told };
}

/** Makes the stream fail some times, and returns the pause before each reconnection. */
async function failing(times: number) {
	const waited: number[] = [];
	for (let i = 0; i < times; i++) {
		const before = Stream.all.length;
		const at = Date.now();
		await newest().fail();
		await vi.advanceTimersToNextTimerAsync();
		expect(Stream.all.length).toBe(before + 1);
		waited.push(Date.now() - at);
	}
	return waited;
}

beforeEach(() => {
	vi.useFakeTimers();
	vi.resetModules();
	Stream.all = [];
	session.load = () => Promise.resolve();
	page = Object.assign(new EventTarget(), { hidden: false });
	vi.stubGlobal("document", page);
	vi.stubGlobal("EventSource", Stream);
	vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
	vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
});
afterEach(() => {
	end();
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

// The first import compiles the module, which takes long on a busy machine.
beforeEach(() => import("./events.svelte"), 60_000);

describe("events", () => {
	it("calls the listeners of what changed, and not for the position of the journal at the start", async () => {
		const { told } = await started(7);
		newest().tell(7);
		newest().tell(8, "actuals");
		expect(told).toEqual([]);
		newest().tell(9, "actuals", "trades");
		expect(told).toEqual(["trades"]);
	});

	it("reports a change of everything if the journal moved between the session and the first event", async () => {
		const { told } = await started(6);
		newest().tell(7);
		expect(told).toEqual(["trades"]);
		newest().tell(8, "actuals");
		expect(told).toEqual(["trades"]);
	});

	it("reconnects after longer and longer pauses, and reports a server that sends no events", async () => {
		const { events } = await started();
		newest().tell(1);
		expect(await failing(2)).toEqual([500, 1000]);
		expect([events.silent, events.away]).toEqual([false, false]);
		expect(await failing(6)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
		expect([events.silent, events.away]).toEqual([true, false]);
	});

	it("reports a change of everything after a reconnect, and starts over with short pauses", async () => {
		const { events, told } = await started();
		newest().tell(1);
		await failing(4);
		newest().tell(2);
		expect([events.silent, told]).toEqual([false, ["trades"]]);
		expect(await failing(1)).toEqual([500]);
		newest().tell(2);
		expect(told).toEqual(["trades"]);
	});

	it("reports a server that does not answer, and asks it more often", async () => {
		const { events, told } = await started();
		newest().tell(1);
		session.load = () => Promise.reject(new TypeError("Failed to fetch"));
		expect(await failing(6)).toEqual([500, 1000, 2000, 4000, 5000, 5000]);
		expect([events.away, events.silent]).toEqual([true, false]);
		newest().tell(1);
		expect([events.away, told]).toEqual([false, ["trades"]]);
	});

	it("asks the server again after a request timed out", async () => {
		const { events, told } = await started();
		newest().tell(1);
		session.load = () => Promise.reject(new DOMException("", "TimeoutError"));
		timedOut.tell();
		await vi.advanceTimersByTimeAsync(0);
		expect([events.away, newest().closed]).toEqual([true, true]);
		await vi.advanceTimersByTimeAsync(500);
		newest().tell(1);
		expect([events.away, told]).toEqual([false, ["trades"]]);
	});

	it("reconnects and reports a change of everything when the network is back", async () => {
		const { told } = await started();
		newest().tell(1);
		page.dispatchEvent(new Event("online"));
		expect(Stream.all.map((stream) => stream.closed)).toEqual([true, false]);
		newest().tell(2);
		expect(told).toEqual(["trades"]);
	});

	it("reports a change of everything after a restore to another entry with the same number", async () => {
		const { told } = await started();
		newest().tell(1);
		page.hidden = true;
		page.dispatchEvent(new Event("visibilitychange"));
		page.hidden = false;
		page.dispatchEvent(new Event("visibilitychange"));
		newest().say(1, "another journal's");
		expect(told).toEqual(["trades"]);
	});

	it("receives nothing while the page is hidden", async () => {
		await started();
		page.hidden = true;
		page.dispatchEvent(new Event("visibilitychange"));
		expect(newest().closed).toBe(true);
		page.hidden = false;
		page.dispatchEvent(new Event("visibilitychange"));
		expect([Stream.all.length, newest().closed]).toEqual([2, false]);
	});
});
