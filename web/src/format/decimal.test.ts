import { describe, expect, test } from "vitest";
import { random } from "../../random";
import { Decimal } from "./decimal";

describe("Decimal", () => {
	test("prints all digits that it read", () => {
		const draw = random(1);
		for (let i = 0; i < 5000; i++) {
			const text = draw.decimal(18, 8);
			expect(Decimal.of(text).toString()).toBe(text);
		}
	});

	test.each([
		["99999999999999.9999", 999999999999999999n, 4],
		["-99999999999999.9999", -999999999999999999n, 4],
		["0.0001", 1n, 4],
		["-0.00000001", -1n, 8],
		["000123.4500", 1234500n, 4],
	])("holds %s exactly", (text, units, places) => {
		const exact = Decimal.of(text);
		expect([exact.units, exact.places]).toEqual([units, places]);
	});

	test.each(["", " 1", "1 ", "1e3", "+1", ".5", "5.", "1,000", "NaN", "Infinity", "--1", "0x10", "١٢"])(
		"refuses %j",
		(text) => {
			expect(() => Decimal.of(text)).toThrow(SyntaxError);
		},
	);

	test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e-7])("refuses the number %d", (number) => {
		expect(() => Decimal.of(number)).toThrow(SyntaxError);
	});

	test("adds like integers of the smallest unit", () => {
		const draw = random(2);
		for (let i = 0; i < 300; i++) {
			const texts = Array.from({ length: 1 + draw.below(20) }, () => draw.decimal(14, 4));
			const units = texts.reduce((total, text) => total + unitsOf(text, 4), 0n);
			expect(Decimal.sum(texts.map(Decimal.of)).rounded(4).units).toBe(units);
		}
	});

	test("subtracts what it added", () => {
		const draw = random(3);
		for (let i = 0; i < 2000; i++) {
			const a = Decimal.of(draw.decimal(18, 8));
			const b = Decimal.of(draw.decimal(18, 4));
			expect(a.plus(b).minus(b).compare(a)).toBe(0);
			expect(a.minus(a).sign).toBe(0);
		}
	});

	test("compares like integers of the smallest unit", () => {
		const draw = random(4);
		for (let i = 0; i < 2000; i++) {
			const [a, b] = [draw.decimal(3, 3), draw.decimal(3, 3)];
			const difference = unitsOf(a, 3) - unitsOf(b, 3);
			expect(Decimal.of(a).compare(Decimal.of(b))).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
		}
	});

	test.each([
		["0.005", 2, "0.01"],
		["-0.005", 2, "-0.01"],
		["0.0049", 2, "0.00"],
		["-0.0049", 2, "0.00"],
		["2.5", 0, "3"],
		["-2.5", 0, "-3"],
		["1.005", 2, "1.01"],
		["99999999999999.9950", 2, "100000000000000.00"],
		["1", 2, "1.00"],
	])("rounds %s to %d places: %s", (text, places, want) => {
		expect(Decimal.of(text).rounded(places).toString()).toBe(want);
	});

	test("rounds half away from zero, and never by more than half", () => {
		const draw = random(5);
		for (let i = 0; i < 2000; i++) {
			const exact = Decimal.of(draw.decimal(18, 6));
			const rounded = exact.rounded(2);
			const twice = rounded.minus(exact).absolute().plus(rounded.minus(exact).absolute());
			expect(twice.compare(Decimal.of("0.01"))).toBeLessThanOrEqual(0);
			if (twice.compare(Decimal.of("0.01")) === 0) expect(rounded.absolute().compare(exact.absolute())).toBe(1);
			expect(rounded.negated().compare(exact.negated().rounded(2))).toBe(0);
		}
	});

	test("has a sign and an absolute value", () => {
		expect(["-0.01", "0.00", "-0", "0.01"].map((text) => Decimal.of(text).sign)).toEqual([-1, 0, 0, 1]);
		expect(Decimal.of("-12.30").absolute().toString()).toBe("12.30");
	});
});

function unitsOf(text: string, places: number): bigint {
	const [whole = "", fraction = ""] = text.replace("-", "").split(".");
	const units = BigInt(whole + fraction.padEnd(places, "0"));
	return text.startsWith("-") ? -units : units;
}
