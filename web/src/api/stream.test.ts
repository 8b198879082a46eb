import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type EventData, EventStream, patience } from "./stream";

/** Replaces EventSource. `all` has every stream that was opened. */
class Stream extends EventTarget {
	static all: Stream[] = [];
	closed = false;

	constructor() {
		super();
		Stream.all.push(this);
	}

	close() {
		this.closed = true;
	}

	say(data: string) {
		this.dispatchEvent(Object.assign(new Event("changed"), { data }));
	}
}

const open = () => Stream.all.filter((stream) => !stream.closed);

/** A listener, and the events that it received. */
function listener() {
	const told: EventData[] = [];
	return { told, tell: (word: EventData) => void told.push(word) };
}

beforeEach(() => {
	vi.useFakeTimers();
	Stream.all = [];
	vi.stubGlobal("EventSource", Stream);
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

it("listeners share one stream, and each first receives the newest event", () => {
	const stream = new EventStream();
	const [first, second] = [listener(), listener()];
	stream.join(first.tell);
	Stream.all[0]?.say("1");
	stream.join(second.tell);
	Stream.all[0]?.say("2");
	expect([first.told, second.told, Stream.all.length]).toEqual([["1", "2"], ["1", "2"], 1]);
	stream.leave(first.tell);
	Stream.all[0]?.say("3");
	expect([first.told, second.told, open().length]).toEqual([["1", "2"], ["1", "2", "3"], 1]);
	stream.leave(second.tell);
	expect(open().length).toBe(0);
	stream.join(first.tell);
	expect([first.told, open().length]).toEqual([["1", "2"], 1]);
});

it("a lost connection is reported to all listeners once, and the first that joins again reconnects", () => {
	const stream = new EventStream();
	const [first, second] = [listener(), listener()];
	stream.join(first.tell);
	stream.join(second.tell);
	Stream.all[0]?.dispatchEvent(new Event("error"));
	expect([first.told, second.told, open().length]).toEqual([[undefined], [undefined], 0]);
	stream.join(second.tell);
	stream.join(first.tell);
	expect(Stream.all.length).toBe(2);
	Stream.all[1]?.say("1");
	expect([first.told, second.told]).toEqual([
		[undefined, "1"],
		[undefined, "1"],
	]);
});

it("a connection is lost if its first event is late, but not if no other event follows", () => {
	const stream = new EventStream();
	const { told, tell } = listener();
	stream.join(tell);
	vi.advanceTimersByTime(patience - 1);
	expect(told).toEqual([]);
	vi.advanceTimersByTime(1);
	expect([told, open().length]).toEqual([[undefined], 0]);
	stream.join(tell);
	Stream.all[1]?.say("1");
	vi.advanceTimersByTime(10 * patience);
	expect(told).toEqual([undefined, "1"]);
});

it("renew reconnects for all listeners", () => {
	const stream = new EventStream();
	const { told, tell } = listener();
	stream.renew();
	expect(Stream.all.length).toBe(0);
	stream.join(tell);
	stream.renew();
	expect(Stream.all.map((stream) => stream.closed)).toEqual([true, false]);
	Stream.all[1]?.say("1");
	expect(told).toEqual(["1"]);
});
