import { expect, test } from "vitest";
import { fileOf, formats } from "./file";

test("a file has the filters and the order of the screen, and no page", () => {
	const query = { dept: "FIN", type: false, currency: undefined, sort: "-amount", limit: 500, after: 0 };
	expect(fileOf("/api/v1/actuals", query, { format: "xlsx" }, "en")).toBe(
		"/api/v1/actuals?dept=FIN&type=false&sort=-amount&format=xlsx",
	);
});

test("CSV is for the spreadsheet program of the reader's language", () => {
	const csv = (language: string) => fileOf("/api/v1/accounts", {}, { format: "csv" }, language);
	expect(csv("de")).toBe("/api/v1/accounts?format=csv&locale=de");
	for (const language of ["en", "ja"]) expect(csv(language)).toBe("/api/v1/accounts?format=csv&bom=true");
});

test("the wide form is offered where there is one", () => {
	expect(formats(false).some(({ form }) => form)).toBe(false);
	const wide = formats(true).find(({ form }) => form);
	expect(wide && fileOf("/api/v1/actuals", {}, wide, "sv")).toBe("/api/v1/actuals?format=csv&form=wide&locale=sv");
});
