import { expect, test } from "vitest";
import { curl, filled, pathOf } from "./request";

test("a path has the parameters with a value, and no others", () => {
	expect(pathOf("/api/v1/variance", { year: 2026, period: 6, dept: "", version: undefined })).toBe(
		"/api/v1/variance?year=2026&period=6",
	);
	expect(pathOf("/api/v1/trades", {})).toBe("/api/v1/trades");
	expect(pathOf("/api/v1/variance", { dept: "R&D 'x'" })).toBe("/api/v1/variance?dept=R%26D+%27x%27");
});

test("the parameters of a path from the document are filled in", () => {
	const parameters = [
		{ name: "id", place: "path", value: "a/b $& ?" },
		{ name: "limit", place: "query", value: "2" },
		{ name: "after", place: "query", value: "" },
		{ name: "Idempotency-Key", place: "header", value: "k" },
	];
	expect(filled("/trades/{id}", parameters, ({ value }) => value)).toBe("/trades/a%2Fb%20%24%26%20%3F?limit=2");
});

test("a shell reads a curl command as the request that was meant", () => {
	expect(curl("http://localhost/?a=b&c=$d", false)).toBe("curl 'http://localhost/?a=b&c=$d'");
	expect(curl("http://localhost/it's", true)).toBe(
		`curl -H "Authorization: Bearer $TOKEN" 'http://localhost/it'\\''s'`,
	);
	expect(curl("http://localhost/", false, "POST", `{"name":"it's"}`)).toBe(
		`curl -X POST -H 'Content-Type: application/json' -d '{"name":"it'\\''s"}' 'http://localhost/'`,
	);
});
