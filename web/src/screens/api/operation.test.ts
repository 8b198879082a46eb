import { expect, test } from "vitest";
import { operationOf } from "./operation";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const document: { paths: Record<string, Record<string, object>>; components: object } = {
	paths: {
		"/trade/add": {
			post: {
				description: "Each post is a trade.",
				parameters: [{ $ref: "#/components/parameters/Key" }],
				security: [{}, { token: ["write"] }],
				requestBody: {
					required: true,
					content: {
						"application/json": {
							schema: ref("NewTrade"),
							examples: {
								plain: { summary: "With numbers", value: { symbol: "ACME", shares: 1 } },
								text: { value: { symbol: "ACME", shares: "1" } },
							},
						},
					},
				},
				responses: {
					"201": {
						description: "The trades.",
						content: {
							"application/json": { schema: ref("Page"), example: { items: [{ id: 1 }], next: null } },
						},
					},
					"400": { $ref: "#/components/responses/Invalid" },
				},
			},
		},
		"/trade/list": {
			get: {
				parameters: [
					{ name: "type", in: "query", required: true, schema: { type: "boolean" }, example: true },
					{
						name: "sort",
						in: "query",
						schema: { type: "string", default: "id", enum: ["id", "-id"] },
					},
					{ name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 1000, default: 100 } },
				],
				security: [{}, { token: ["read"] }],
			},
			post: { security: [{}, { token: ["read"] }] },
		},
		"/events": { get: { responses: { "200": { content: { "text/event-stream": {} } } } } },
	},
	components: {
		parameters: {
			Key: { name: "Idempotency-Key", in: "header", description: "Once.", schema: { type: "string", maxLength: 9 } },
		},
		responses: {
			Invalid: {
				description: "A field is wrong.",
				content: {
					"application/json": {
						schema: ref("Error"),
						examples: { broken: { summary: "Broken", value: { code: "invalid_json" } } },
					},
				},
			},
		},
		schemas: {
			Error: { required: ["code"], properties: { code: { type: "string", description: "For a program." } } },
			Id: { type: "integer", minimum: 1, description: "An id." },
			NewTrade: {
				type: "object",
				required: ["symbol"],
				properties: {
					symbol: { type: "string", description: "What is traded." },
					shares: { type: "integer", description: "How many." },
					side: { enum: ["buy", "sell"], default: "" },
				},
			},
			Stored: { type: "object", required: ["id"], properties: { id: ref("Id"), symbol: { type: "string" } } },
			Place: { oneOf: [{ type: "integer", minimum: 0 }, { type: "string" }] },
			Page: {
				required: ["items"],
				properties: {
					items: { type: "array", items: ref("Stored") },
					next: { description: "Where the next page begins.", oneOf: [ref("Place"), { type: "null" }] },
					newest: { oneOf: [ref("Stored"), { type: "null" }] },
				},
			},
		},
	},
};

const optional = { required: false, description: "", example: "" };

test("a request has its parameters and the fields of its body, also by reference", () => {
	const operation = operationOf(document, "POST", "/trade/add");
	const key = { name: "Idempotency-Key", place: "header", type: "string; at most 9 characters", choices: [] };
	expect(operation?.parameters).toEqual([{ ...optional, ...key, description: "Once." }]);
	expect(operation?.fields).toEqual([
		{ name: "symbol", type: "string", required: true, description: "What is traded." },
		{ name: "shares", type: "integer", required: false, description: "How many." },
		{ name: "side", type: "buy, sell; default empty", required: false, description: "" },
	]);
	expect(operation?.examples).toEqual([
		{ title: "With numbers", value: { symbol: "ACME", shares: 1 } },
		{ title: "text", value: { symbol: "ACME", shares: "1" } },
	]);
	expect([operation?.bodied, operationOf(document, "POST", "/trade/list")?.bodied]).toEqual([true, false]);
});

test("a parameter has its limits, its default and its choices", () => {
	expect(operationOf(document, "GET", "/trade/list")?.parameters).toEqual([
		{
			...optional,
			name: "type",
			place: "query",
			type: "boolean",
			required: true,
			choices: ["true", "false"],
			example: "true",
		},
		{ ...optional, name: "sort", place: "query", type: 'id, -id; default "id"', choices: ["id", "-id"] },
		{ ...optional, name: "limit", place: "query", type: "integer; 1 to 1000; default 100", choices: [] },
	]);
});

test("every response has its fields and examples, also nested ones", () => {
	const [stored, invalid] = operationOf(document, "POST", "/trade/add")?.responses ?? [];
	expect(stored?.fields.map((field) => [field.name, field.type, field.required])).toEqual([
		["items", "array of object", true],
		["items[].id", "integer; 1 or more", true],
		["items[].symbol", "string", false],
		["next", "integer or string or null; 0 or more", false],
		["newest", "object or null", false],
		["newest.id", "integer; 1 or more", true],
		["newest.symbol", "string", false],
	]);
	expect(stored?.examples).toEqual([{ title: "", value: { items: [{ id: 1 }], next: null } }]);
	expect(invalid).toEqual({
		status: "400",
		description: "A field is wrong.",
		fields: [{ name: "code", type: "string", required: true, description: "For a program." }],
		examples: [{ title: "Broken", value: { code: "invalid_json" } }],
	});
});

test("only a request that changes nothing and ends is a read", () => {
	const reads = (method: string, path: string) => operationOf(document, method, path)?.reads;
	expect([reads("GET", "/trade/list"), reads("POST", "/trade/list")]).toEqual([true, true]);
	expect([reads("POST", "/trade/add"), reads("GET", "/events")]).toEqual([false, false]);
});

test("an operation outside of the document is undefined", () => {
	expect(operationOf(document, "GET", "/trade/add")).toBeUndefined();
});
