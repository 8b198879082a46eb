import { expect, it } from "vitest";
import { endpoints } from "./endpoints";

it("lists each operation once by its tag, and no empty tags", () => {
	const parts = endpoints({
		tags: [
			{ name: "Actuals", description: "What was spent." },
			{ name: "Trades" },
			{ name: "Journal" },
			{ name: "Page" },
		],
		paths: {
			"/trade/list": { get: { tags: ["Trades"], summary: "List" }, post: { tags: ["Trades"], summary: "List too" } },
			"/api/v1/actuals": { get: { tags: ["Actuals"] }, parameters: {} },
			"/api/v1/journal": { get: { tags: ["Journal"], summary: "Read on" } },
		},
	});
	expect(
		parts.map((b) => [b.title, b.tags.map((t) => [t.name, t.endpoints.map((e) => `${e.method} ${e.path}`)])]),
	).toEqual([
		["Trading", [["Trades", ["GET /trade/list", "POST /trade/list"]]]],
		["Budget and variance", [["Actuals", ["GET /api/v1/actuals"]]]],
		["Other endpoints", [["Journal", ["GET /api/v1/journal"]]]],
	]);
});
