import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./error";
import { type Act, type Values, Writing } from "./writing.svelte";

/** The storage of a tab, which Node.js has none of. */
let kept: Map<string, string>;
beforeEach(() => {
	vi.useFakeTimers();
	kept = new Map();
	vi.stubGlobal("sessionStorage", {
		getItem: (key: string) => kept.get(key) ?? null,
		setItem: (key: string, text: string) => kept.set(key, text),
		removeItem: (key: string) => kept.delete(key),
	});
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

const seen = { code: "ENG", name: "Engineering", active: true };

/** begin opens the form of a department that answers each attempt by the next of these. */
function begin(answers: (string | ApiError | Error)[], values: Values = seen, exists = true) {
	const acts: Act[] = [];
	const writing = new Writing("department 1", values, exists, async (act) => {
		acts.push(act);
		const answer = answers.shift();
		if (typeof answer === "string") return answer;
		throw answer;
	});
	return { writing, acts };
}

const refusal = (status: number, code: string, details: ApiError["details"] = [], body?: unknown) =>
	new ApiError(status, code, "no", details, body);
const lost = () => new TypeError("Failed to fetch");

test("only what was changed is sent, with the values that were seen", async () => {
	const { writing, acts } = begin(["stored"]);
	writing.values.name = "Products";
	writing.values.active = false;
	expect(await writing.save()).toBe("stored");
	expect(acts.map(({ body }) => body)).toEqual([
		{ name: "Products", active: false, was: { name: "Engineering", active: true } },
	]);
});

test("a new record is sent without its empty fields, which have defaults or are missed by name", async () => {
	const { writing, acts } = begin(["stored"], { code: "", name: "", active: true }, false);
	writing.values.code = "OPS";
	await writing.save();
	expect(acts.map(({ body }) => body)).toEqual([{ code: "OPS", active: true }]);
});

test("a form is busy until it is answered, and sends once however often it is asked", async () => {
	const { writing, acts } = begin(["stored", "stored again"]);
	writing.values.name = "Products";
	const saved = writing.save();
	expect(writing.busy).toBe(true);
	expect(await writing.save()).toBeUndefined();
	expect(await saved).toBe("stored");
	expect([writing.busy, acts.length]).toEqual([false, 1]);
});

test("an act has one key until it is answered: after a lost connection, a busy server, a timeout and a reload", async () => {
	const answers = [lost(), refusal(503, "unavailable"), new DOMException("", "TimeoutError"), "stored"];
	const { writing, acts } = begin(answers);
	writing.values.name = "Products";
	for (let i = 0; i < 3; i++) expect(await writing.save()).toBeUndefined();
	const { writing: reloaded, acts: later } = begin(answers);
	expect(reloaded.restored).toBe(true);
	expect(await reloaded.save()).toBe("stored");
	expect(new Set([...acts, ...later].map(({ key }) => key)).size).toBe(1);
	expect(kept.size).toBe(0);
});

test("another act has another key: after an answer, and after a change of what is sent", async () => {
	const { writing, acts } = begin([refusal(400, "validation_failed"), lost(), lost(), "stored"]);
	for (const name of ["a", "a", "b", "b"]) {
		writing.values.name = name;
		await writing.save();
	}
	const keys = acts.map(({ key }) => key);
	expect(keys[1]).not.toBe(keys[0]);
	expect(keys[2]).not.toBe(keys[1]);
	expect(keys[3]).toBe(keys[2]);
});

test("an act whose outcome the server does not know is sent again, with its key, some times", async () => {
	const unknown = () => refusal(503, "outcome_unknown");
	const { writing, acts } = begin([unknown(), unknown(), "stored", ...Array.from({ length: 9 }, unknown)]);
	writing.values.name = "Products";
	const saved = writing.save();
	await vi.runAllTimersAsync();
	expect(await saved).toBe("stored");
	expect(new Set(acts.map(({ key }) => key)).size).toBe(1);
	writing.values.name = "Other";
	const failed = writing.save();
	await vi.runAllTimersAsync();
	expect(await failed).toBeUndefined();
	expect([acts.length, (writing.error as ApiError).code]).toEqual([7, "outcome_unknown"]);
});

test("errors are told by field; one that no field shows is told as a whole", async () => {
	const { writing } = begin([
		refusal(400, "validation_failed", [{ field: "name", message: "must not be empty" }]),
		refusal(409, "already_exists"),
		refusal(400, "validation_failed", [{ field: "was.name", message: "must be a string" }]),
		lost(),
	]);
	writing.values.name = "";
	await writing.save();
	expect([writing.errors, writing.error]).toEqual([{ name: "Must not be empty." }, undefined]);
	await writing.save();
	expect([writing.errors, writing.error]).toEqual([{ code: "No." }, undefined]);
	for (let i = 0; i < 2; i++) {
		await writing.save();
		expect(writing.errors).toEqual({});
		expect(writing.error).toBeInstanceOf(Error);
	}
});

test("what somebody else has changed is shown beside it, and the reader keeps theirs or takes it", async () => {
	const since = { seq: 7, at: "2026-06-30T12:00:00Z", actor: "office" };
	const changed = () => refusal(409, "changed_since", [{ field: "name", message: 'is now "Tech"', is: "Tech" }], since);
	const { writing, acts } = begin([changed(), "stored"]);
	writing.values.name = "Products";
	await writing.save();
	expect(writing.conflicts).toEqual([{ field: "name", mine: "Products", theirs: "Tech" }]);
	expect([writing.since, writing.error, writing.errors]).toEqual([since, undefined, {}]);
	writing.keepMine();
	expect(writing.conflicts).toEqual([]);
	await writing.save();
	expect(acts.at(-1)?.body).toEqual({ name: "Products", was: { name: "Tech" } });

	const { writing: second } = begin([changed()]);
	second.values.name = "Products";
	await second.save();
	second.takeTheirs();
	expect([second.values.name, second.isChanged]).toEqual(["Tech", false]);
});

test("a draft stays until it is stored or discarded, and comes back", () => {
	const { writing } = begin([]);
	writing.keep();
	expect(kept.size).toBe(0);
	writing.values.name = "Half a na";
	writing.keep();
	const { writing: again } = begin([]);
	expect([again.values.name, again.restored]).toEqual(["Half a na", true]);
	const back = again.discard();
	expect(begin([]).writing.values.name).toBe("Engineering");
	back();
	expect(begin([]).writing.values.name).toBe("Half a na");
});

test("a browser that keeps nothing changes nothing else", async () => {
	vi.stubGlobal("sessionStorage", undefined);
	const { writing } = begin(["stored"]);
	writing.values.name = "Products";
	writing.keep();
	expect(await writing.save()).toBe("stored");
});

test("what both changed to the same value is no choice, and is sent as seen", async () => {
	const details = [
		{ field: "name", message: "changed", is: "Tech" },
		{ field: "active", message: "changed", is: false },
	];
	const { writing, acts } = begin([refusal(409, "changed_since", details), "stored"]);
	writing.values.name = "Products";
	writing.values.active = false;
	await writing.save();
	expect(writing.conflicts).toEqual([{ field: "name", mine: "Products", theirs: "Tech" }]);
	writing.keepMine();
	expect(await writing.save()).toBe("stored");
	expect(acts[1]?.body).toEqual({ name: "Products", was: { name: "Tech" } });
});
