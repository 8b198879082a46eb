import { expect, test } from "vitest";
import { Joined } from "./sharedRequests";

/** A question that is answered when the test says so. */
function question() {
	const asked: { answer: (value: number) => void; fail: (reason: unknown) => void }[] = [];
	const send = () => new Promise<number>((answer, fail) => asked.push({ answer, fail }));
	return { asked, send };
}

test("the same is asked once while it is awaited, and anew afterwards", async () => {
	const { asked, send } = question();
	const joined = new Joined();
	const first = joined.ask("a", send, undefined);
	const second = joined.ask("a", send, undefined);
	const other = joined.ask("b", send, undefined);
	expect(asked.length).toBe(2);
	asked[0]?.answer(1);
	asked[1]?.answer(2);
	expect(await Promise.all([first, second, other])).toEqual([1, 1, 2]);
	void joined.ask("a", send, undefined);
	expect(asked.length).toBe(3);
});

test("nobody joins what was asked before a change", async () => {
	const { asked, send } = question();
	const joined = new Joined();
	const before = joined.ask("a", send, undefined);
	joined.leave();
	const after = joined.ask("a", send, undefined);
	const beside = joined.ask("a", send, undefined);
	asked[0]?.answer(1);
	expect(await before).toBe(1);
	void joined.ask("a", send, undefined);
	expect(asked.length).toBe(2);
	asked[1]?.answer(2);
	expect(await Promise.all([after, beside])).toEqual([2, 2]);
});

test("who joined a request that its sender ended asks for itself", async () => {
	const { asked, send } = question();
	const joined = new Joined();
	const sender = joined.ask("a", send, undefined);
	const stays = joined.ask("a", send, new AbortController().signal);
	const leaves = joined.ask("a", send, AbortSignal.abort());
	asked[0]?.fail(new DOMException("", "AbortError"));
	await expect(sender).rejects.toThrow(DOMException);
	await expect(leaves).rejects.toThrow(DOMException);
	expect(asked.length).toBe(2);
	asked[1]?.answer(2);
	expect(await stays).toBe(2);
});

test("of those who joined a request that its sender ended one asks for all", async () => {
	const { asked, send } = question();
	const joined = new Joined();
	const sender = joined.ask("a", send, undefined);
	const stay = [1, 2, 3].map(() => joined.ask("a", send, undefined));
	asked[0]?.fail(new DOMException("", "AbortError"));
	await expect(sender).rejects.toThrow(DOMException);
	expect(asked.length).toBe(2);
	asked[1]?.answer(2);
	expect(await Promise.all(stay)).toEqual([2, 2, 2]);
});

test("a refusal is everyone's who asked", async () => {
	const { asked, send } = question();
	const joined = new Joined();
	const both = [joined.ask("a", send, undefined), joined.ask("a", send, undefined)];
	asked[0]?.fail(new Error("refused"));
	for (const each of both) await expect(each).rejects.toThrow("refused");
	expect(asked.length).toBe(1);
});
