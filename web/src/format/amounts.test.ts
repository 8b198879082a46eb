import { beforeEach, describe, expect, test, vi } from "vitest";

let amounts: typeof import("./amounts");

beforeEach(async () => {
	vi.resetModules();
	vi.stubGlobal("navigator", { languages: ["en-US"] });
	amounts = await import("./amounts");
});

/** printed prints a column of amounts in one currency and one unit. */
function printed(currency: string, unit: import("./amounts").Unit, ...column: (string | number | null)[]): string[] {
	const measure = amounts.measureOf({ currency, amounts: column }, unit);
	return column.map((value) => amounts.amount(value, measure));
}

describe("a column of exact amounts has the decimals of its currency", () => {
	test.each([
		["USD", ["1234.5", "-0.25", "0"], ["1,234.50", "(0.25)", "–"]],
		["KWD", ["1.234", "1.238", "-0.004"], ["1.234", "1.238", "(0.004)"]],
		["JPY", ["1234.4", "-79930", "0.4"], ["1,234", "(79,930)", "0"]],
		["CLF", ["1.5", "0.0001"], ["1.5000", "0.0001"]],
		["USD", ["0.0049", "-0.0049"], ["0.00", "0.00"]],
		["USD", ["99999999999999.9999"], ["100,000,000,000,000.00"]],
	])("%s %j", (currency, column, want) => {
		expect(printed(currency, "exact", ...column)).toEqual(want);
	});

	test.each([
		[["1.5"], ["1.50"]],
		[
			["1.5", "1.234"],
			["1.500", "1.234"],
		],
		[
			["0.1234", "9"],
			["0.1234", "9.0000"],
		],
		[["1.50000"], ["1.50"]],
	])("an unknown code has 2 to 4, as many as are needed: %j", (column, want) => {
		for (const code of ["USDT", "GBX", "XAU", "", "__PROTO__"]) expect(printed(code, "exact", ...column)).toEqual(want);
	});

	test("none has decimals if all are whole", () => {
		for (const code of ["USD", "KWD", "JPY", "USDT"])
			expect(printed(code, "exact", "1200", "-3.00", "0", null)).toEqual(["1,200", "(3)", "–", ""]);
	});
});

test("thousands have no decimals", () => {
	expect(printed("USD", "thousands", "1234567.89", "-500", "-499", "499.99", "0", null)).toEqual([
		"1,235",
		"(1)",
		"(<1)",
		"<1",
		"–",
		"",
	]);
	expect(printed("KWD", "thousands", "1999.999")).toEqual(["2"]);
});

test("millions have one decimal, and none if all are whole millions", () => {
	expect(printed("USD", "millions", "5268900000", "-66150000", "49999.99", "-1", "0")).toEqual([
		"5,268.9",
		"(66.2)",
		"<0.1",
		"(<0.1)",
		"–",
	]);
	expect(printed("JPY", "millions", "50000", "-50000")).toEqual(["0.1", "(0.1)"]);
	expect(printed("USD", "millions", "600000000", -100000000, 0)).toEqual(["600", "(100)", "–"]);
	expect(printed("USD", "millions", "99999999999999.9999")).toEqual(["100,000,000.0"]);
});

test("a minus sign and a zero are a choice in every unit", () => {
	const millions = { unit: "millions", places: 1 } as const;
	expect(amounts.amount("-2500000", millions, { parentheses: false })).toBe("-2.5");
	expect(amounts.amount("0", millions, { zeroDash: false })).toBe("0.0");
	expect(amounts.amount("-35000", millions, { parentheses: false })).toBe(">-0.1");
});

test("a price has as many decimals as it has, and at least 2", () => {
	expect(
		["1.08345", "1.08349", "0.00000001", "-37.63", "95.5", 7, "101.6190", "0", null].map((p) => amounts.price(p)),
	).toEqual(["1.08345", "1.08349", "0.00000001", "(37.63)", "95.50", "7.00", "101.619", "–", ""]);
});

test.each([
	["exact", [["USD", ["9999999.99", "-12"]]]],
	["thousands", [["USD", ["-10000000"]]]],
	["millions", [["USD", [null, "1000000000", "3"]]]],
	[
		"exact",
		[
			["USD", ["123456"]],
			["JPY", ["5000000000"]],
		],
	],
	[
		"thousands",
		[
			["JPY", ["5000000000"]],
			["USD", ["99999999"]],
			["JPY", ["1"]],
		],
	],
	[
		"millions",
		[
			["USD", ["5000000000"]],
			["EUR", ["0", null]],
		],
	],
	["exact", []],
	["exact", [["USD", ["0"]]]],
] as [string, [string, (string | null)[]][]][])("%s suits %j", (want, all) => {
	expect(amounts.proposedUnit(all.map(([currency, amounts]) => ({ currency, amounts })))).toBe(want);
});

test("a head says the currency and the unit", () => {
	expect(["exact", "thousands", "millions"].map((unit) => amounts.inUnit("USD", unit as "exact"))).toEqual([
		"USD",
		"USD thousands",
		"USD millions",
	]);
});
