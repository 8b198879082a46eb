import { describe, expect, it } from "vitest";
import { Decimal } from "../../format/decimal";
import { aboveThreshold, alertOf, byAmount, type Line, readThreshold } from "./alerts";

function line(percent: string, amount: string, currency = "EUR"): Line {
	return {
		gl_code: percent,
		gl_description: "",
		gl_type: "opex",
		budget: 1,
		actual: 1,
		variance_abs: amount,
		variance_pct: percent,
		status: amount.startsWith("-") ? "unfavourable" : "favourable",
		unbudgeted: false,
		currency,
	};
}

const percents = (alerts: { line: Line }[]) => alerts.map((a) => a.line.variance_pct);

describe("aboveThreshold", () => {
	const alerts = [line("10", "5"), line("10.01", "5"), line("-10.01", "-5"), line("-9.99", "-5")].map(alertOf);

	it("returns lines above the threshold regardless of sign, and none at the threshold", () => {
		expect(percents(aboveThreshold(alerts, Decimal.of(10)))).toEqual(["10.01", "-10.01"]);
	});

	it("returns the lines of one status", () => {
		expect(percents(aboveThreshold(alerts, Decimal.of("9.98"), "unfavourable"))).toEqual(["-10.01", "-9.99"]);
		expect(percents(aboveThreshold(alerts, Decimal.of("9.98"), "favourable"))).toEqual(["10", "10.01"]);
	});
});

it("byAmount compares exactly within a currency, and keeps the order of currencies", () => {
	const alerts = [
		line("1", "90071992547409.9301", "USD"),
		line("2", "-90071992547409.9302", "USD"),
		line("3", "1"),
	].map(alertOf);
	expect(percents(alerts.sort(byAmount(["EUR", "USD"])))).toEqual(["3", "2", "1"]);
	expect(percents(alerts.sort(byAmount(["USD", "EUR"])))).toEqual(["2", "1", "3"]);
});

it.each([
	["12.5", "12.5"],
	["0", "0"],
	["05", "5"],
	[".5", "0.5"],
	["5.", "5"],
	["1e3", "1000"],
	["2.5E-1", "0.25"],
	["-0", "0"],
	["", undefined],
	["-1", undefined],
	["-.5", undefined],
	["x", undefined],
	[".", undefined],
	["0x10", undefined],
	["0e999999999", undefined],
])("readThreshold %j is %s", (text, want) => {
	expect(readThreshold(text)?.toString()).toBe(want);
});
