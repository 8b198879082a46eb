import { expect, test } from "vitest";
import { random } from "../../../random";
import { accountTypes } from "../../budget/accountTypes";
import { percentOf } from "../../budget/percent";
import { Decimal } from "../../format/decimal";
import { resultsOf } from "./results";
import type { Section, Side } from "./statement";

const section = (type: string, budget: string, actual: string): Section => {
	const off = Decimal.of(actual).minus(Decimal.of(budget));
	const variance_abs = (type === "revenue" ? off : off.negated()).toString();
	return { type, title: type, lines: [], subtotals: [{ budget, actual, variance_abs } as Side] } as unknown as Section;
};
const figures = (side: Side | undefined) =>
	[side?.budget, side?.actual, side?.variance_abs].map((each) => Number(each));
const titles = (types: readonly string[]) =>
	resultsOf(types.map((type) => section(type, "1", "2"))).map(({ result }) => result?.title ?? "");

test("gross profit and operating result follow from the subtotals, and from the operating result the net result", () => {
	const draw = random(5);
	for (let round = 0; round < 50; round++) {
		const sections = accountTypes.map((type) => section(type, draw.decimal(9, 2), draw.decimal(9, 2)));
		const [revenue, cogs, opex, headcount, capex] = sections.map(({ subtotals }) => figures(subtotals[0]));
		const results = resultsOf(sections).flatMap(({ result }) => result ?? []);
		expect(results.map(({ title, last }) => [title, last])).toEqual([
			["Gross profit", false],
			["Operating result", true],
		]);
		const [gross, operating] = results.map(({ sides }) => figures(sides[0]));
		for (const [i, sign] of [-1, -1, 1].entries()) {
			const at = (all: number[] | undefined) => all?.[i] ?? Number.NaN;
			expect(at(gross)).toBeCloseTo(at(revenue) + sign * at(cogs), 2);
			expect(at(operating)).toBeCloseTo(at(gross) + sign * (at(opex) + at(headcount)), 2);
			expect(at(capex)).not.toBeNaN();
		}
	}
});

test("a result stands only where the types of the accounts give one that no other row has", () => {
	expect(titles(["revenue", "opex", "headcount"])).toEqual(["", "", ""]);
	expect(titles(["cogs", "opex", "capex"])).toEqual(["", "", ""]);
	expect(titles(["revenue", "cogs", "capex"])).toEqual(["", "Gross profit", ""]);
	expect(titles(["revenue", "opex", "capex"])).toEqual(["", "Operating result", ""]);
});

test("a result has its percentage of revenue", () => {
	const [, cogs] = resultsOf([section("revenue", "200", "250"), section("cogs", "50", "50")]);
	expect(cogs?.result?.margin.replaceAll(",", ".")).toMatch(/^80\.0\s?% of revenue; budget 75\.0\s?%$/);
	expect(resultsOf([section("revenue", "0", "250"), section("cogs", "50", "50")])[1]?.result?.margin).toBe("");
});

test.each([
	["-10", "300", "-3.33"],
	["2.005", "-100", "2.01"],
	["-2.005", "100", "-2.01"],
	["0.00004", "1", "0.00"],
	["5", "0", "100"],
	["-5", "0.00", "-100"],
	["0", "0", "0"],
])("%s of %s is %s percent, as in the interface", (variance, budget, want) => {
	expect(percentOf(Decimal.of(variance), Decimal.of(budget))).toBe(want);
});
