import { afterEach, expect, test, vi } from "vitest";
import { escapeControls, indented, most, sendRequest } from "./send";

afterEach(() => {
	vi.unstubAllGlobals();
});

/** answered sends GET / and returns the answer, which has that body. */
async function answered(body: BodyInit | null, init?: ResponseInit) {
	const sent = vi.fn(async () => new Response(body, init));
	vi.stubGlobal("fetch", sent);
	const answer = await sendRequest("GET", "/", new AbortController().signal);
	expect(sent).toHaveBeenCalledOnce();
	return answer;
}

test("the body is shown to its last character", async () => {
	const body = '\ufeff{"Shares": 9007199254740993, "Price":0.10, "Symbol":"\\u0041\u00e9"}\n';
	expect(await answered(body)).toMatchObject({ status: 200, body, cut: false });
	expect(await answered(null, { status: 204 })).toMatchObject({ status: 204, body: "", cut: false });
});

test("an error response is shown with its headers", async () => {
	const headers = { "x-request-id": "ID", "retry-after": "2", "content-type": "application/json", date: "now" };
	expect(await answered('{"error":"busy"}', { status: 503, statusText: "Unavailable", headers })).toEqual({
		status: 503,
		reason: "Unavailable",
		headers: [
			["Content-Type", "application/json"],
			["Retry-After", "2"],
			["X-Request-Id", "ID"],
		],
		body: '{"error":"busy"}',
		cut: false,
	});
});

test("only the beginning of an endless body is read", async () => {
	const cancel = vi.fn();
	const chunk = new TextEncoder().encode("é".repeat(30_001));
	const endless = new ReadableStream({ pull: (stream) => stream.enqueue(chunk), cancel });
	const { body, cut } = await answered(endless);
	expect([body, cut]).toEqual(["é".repeat(most / 2), true]);
	expect(cancel).toHaveBeenCalledOnce();
	expect(await answered("a".repeat(most))).toMatchObject({ body: "a".repeat(most), cut: false });
});

test("escaped controls reorder nothing and mean the same in JSON", () => {
	const json = '"\u202eabc\u200f סך"';
	expect(escapeControls(json)).toBe('"\\u202eabc\\u200f סך"');
	expect(JSON.parse(escapeControls(json))).toBe(JSON.parse(json));
});

test("indenting changes no name and no value", () => {
	const json = '[{"a":9007199254740993,"a":1.10E+2,"b":"\\u0041, \\"{[:","c":[ ],"d":{}},null,[[-0]]]';
	expect(indented(json)).toBe(
		[
			"[",
			"  {",
			'    "a": 9007199254740993,',
			'    "a": 1.10E+2,',
			'    "b": "\\u0041, \\"{[:",',
			'    "c": [],',
			'    "d": {}',
			"  },",
			"  null,",
			"  [",
			"    [",
			"      -0",
			"    ]",
			"  ]",
			"]",
		].join("\n"),
	);
	expect(indented(indented(json))).toBe(indented(json));
	expect(indented('{"cut": [1, "in the mid')).toBe('{\n  "cut": [\n    1,\n    "in the mid');
	expect(indented("]}]")).toBe("\n]\n}\n]");
});
