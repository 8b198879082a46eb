import { expect, test } from "vitest";
import { SharedRequests } from "./sharedRequests";

/** A key whose requests the test answers. */
function key() {
	const sent: { answer: (value: number) => void; fail: (reason: unknown) => void }[] = [];
	const send = () => new Promise<number>((answer, fail) => sent.push({ answer, fail }));
	return { sent, send };
}

test("equal requests are sent once at a time", async () => {
	const { sent, send } = key();
	const joined = new SharedRequests();
	const first = joined.send("a", send, undefined);
	const second = joined.send("a", send, undefined);
	const other = joined.send("b", send, undefined);
	expect(sent.length).toBe(2);
	sent[0]?.answer(1);
	sent[1]?.answer(2);
	expect(await Promise.all([first, second, other])).toEqual([1, 1, 2]);
	void joined.send("a", send, undefined);
	expect(sent.length).toBe(3);
});

test("no caller shares a request from before a change", async () => {
	const { sent, send } = key();
	const joined = new SharedRequests();
	const before = joined.send("a", send, undefined);
	joined.forget();
	const after = joined.send("a", send, undefined);
	const beside = joined.send("a", send, undefined);
	sent[0]?.answer(1);
	expect(await before).toBe(1);
	void joined.send("a", send, undefined);
	expect(sent.length).toBe(2);
	sent[1]?.answer(2);
	expect(await Promise.all([after, beside])).toEqual([2, 2]);
});

test("a caller sends the request again if its sender aborted it", async () => {
	const { sent, send } = key();
	const joined = new SharedRequests();
	const sender = joined.send("a", send, undefined);
	const stays = joined.send("a", send, new AbortController().signal);
	const leaves = joined.send("a", send, AbortSignal.abort());
	sent[0]?.fail(new DOMException("", "AbortError"));
	await expect(sender).rejects.toThrow(DOMException);
	await expect(leaves).rejects.toThrow(DOMException);
	expect(sent.length).toBe(2);
	sent[1]?.answer(2);
	expect(await stays).toBe(2);
});

test("one of several callers sends an aborted request again for all", async () => {
	const { sent, send } = key();
	const joined = new SharedRequests();
	const sender = joined.send("a", send, undefined);
	const stay = [1, 2, 3].map(() => joined.send("a", send, undefined));
	sent[0]?.fail(new DOMException("", "AbortError"));
	await expect(sender).rejects.toThrow(DOMException);
	expect(sent.length).toBe(2);
	sent[1]?.answer(2);
	expect(await Promise.all(stay)).toEqual([2, 2, 2]);
});

test("all callers receive the same error", async () => {
	const { sent, send } = key();
	const joined = new SharedRequests();
	const both = [joined.send("a", send, undefined), joined.send("a", send, undefined)];
	sent[0]?.fail(new Error("refused"));
	for (const each of both) await expect(each).rejects.toThrow("refused");
	expect(sent.length).toBe(1);
});
