import { expect, it } from "vitest";
import { notation } from "./notation";

const codes = { departments: ["SAL", "r&d"], currencies: ["EUR", "USD"] };

it.each([
	["year", "2026.0", "2026"],
	["period", "06", "6"],
	["version", "FORECAST1", "forecast1"],
	["version", " Original", ""],
	["against", "Forecast2", "forecast2"],
	["against", "ORIGINAL", "original"],
	["dept", "ALL", ""],
	["dept", "all ", ""],
	["dept", "sal", "SAL"],
	["dept", "R&D", "r&d"],
	["currency", "usd", "USD"],
	["unit", "Millions", "millions"],
])("%s=%j is %j", (name, said, want) => {
	expect(notation((of) => (of === name ? said : ""), codes)[name]).toBe(want);
});

it.each([
	["year", "abc"],
	["period", "6.5"],
	["version", "Forecast9"],
	["dept", "ALLES"],
	["currency", "xyz"],
	["currency", "uſd"],
	["unit", "dozens"],
])("%s=%j stays as it is", (name, said) => {
	expect(notation((of) => (of === name ? said : ""), codes)[name]).toBe(said);
});
