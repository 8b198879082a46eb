import { expect, it } from "vitest";
import { operationOf } from "./operation";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const document = {
	paths: {
		"/trade/add": {
			post: {
				description: "Each post is a trade.",
				parameters: [{ $ref: "#/components/parameters/Key" }],
				requestBody: {
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
	},
	components: {
		parameters: { Key: { name: "Idempotency-Key", in: "header", description: "Once.", schema: { type: "string" } } },
		responses: { Invalid: { description: "A field is wrong." } },
		schemas: {
			Id: { type: "integer", description: "An id." },
			NewTrade: {
				type: "object",
				required: ["symbol"],
				properties: {
					symbol: { type: "string", description: "What is traded." },
					shares: { oneOf: [{ type: "integer", description: "How many." }, { type: "string" }] },
					side: { enum: ["buy", "sell"] },
				},
			},
			Stored: {
				type: "object",
				required: ["id"],
				properties: { id: ref("Id"), trade: { oneOf: [ref("NewTrade"), { type: "null" }] } },
			},
			Page: {
				required: ["items"],
				properties: { items: { type: "array", items: ref("Stored") }, next: { type: ["integer", "null"] } },
			},
		},
	},
};

it("says what a request has, wherever that is written", () => {
	const operation = operationOf(document, "POST", "/trade/add");
	expect(operation?.fields).toEqual([
		{ name: "Idempotency-Key", place: "header", type: "string", required: false, description: "Once." },
		{ name: "symbol", place: "body", type: "string", required: true, description: "What is traded." },
		{ name: "shares", place: "body", type: "integer or string", required: false, description: "How many." },
		{ name: "side", place: "body", type: "buy, sell", required: false, description: "" },
	]);
	expect(operation?.requests).toEqual([
		{ title: "With numbers", text: '{\n  "symbol": "ACME",\n  "shares": 1\n}' },
		{ title: "text", text: '{\n  "symbol": "ACME",\n  "shares": "1"\n}' },
	]);
});

it("says what is answered, a page by its records too, and how it may be refused", () => {
	const operation = operationOf(document, "POST", "/trade/add");
	expect(operation?.answer.map((field) => [field.name, field.type, field.required])).toEqual([
		["items", "array of object", true],
		["items[].id", "integer", true],
		["items[].trade", "object or null", false],
		["next", "integer or null", false],
	]);
	expect(operation?.answers[0]?.title).toBe("Example");
	expect(operation?.statuses).toEqual([
		{ status: "201", description: "The trades." },
		{ status: "400", description: "A field is wrong." },
	]);
});

it("knows no operation that there is not", () => {
	expect(operationOf(document, "GET", "/trade/add")).toBeUndefined();
});
