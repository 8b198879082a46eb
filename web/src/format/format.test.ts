import { beforeEach, expect, test, vi } from "vitest";
import { random } from "../../random";
import { wholeNumber } from "../address/number";
import { Decimal } from "./decimal";

let format: typeof import("./format");

async function speak(...languages: string[]): Promise<void> {
	vi.resetModules();
	vi.stubGlobal("navigator", { languages });
	format = await import("./format");
}

beforeEach(() => speak("en-US"));

test.each([
	["1234567.891", "1,234,567.89"],
	["-1234.5", "(1,234.50)"],
	["99999999999999.9999", "100,000,000,000,000.00"],
	["99999999999999.99", "99,999,999,999,999.99"],
	["-99999999999999.99", "(99,999,999,999,999.99)"],
	["0", "–"],
	["0.00", "–"],
	["0.004", "0.00"],
	["-0.004", "0.00"],
	["0.005", "0.01"],
	["-0.005", "(0.01)"],
	[42, "42.00"],
	[null, ""],
	[undefined, ""],
])("figure(%s) is %s", (value, want) => {
	expect(format.figure(value)).toBe(want);
});

test("a figure can have other decimals, a minus sign and a zero", () => {
	expect(format.figure("0.12345678", { places: 8 })).toBe("0.12345678");
	expect(format.figure("1234567890.12345678", { places: 8 })).toBe("1,234,567,890.12345678");
	expect(format.figure("-2.5", { places: 0, parentheses: false })).toBe("-3");
	expect(format.figure("0", { zeroDash: false })).toBe("0.00");
});

test("a figure shows exactly the digits of an amount", () => {
	const draw = random(7);
	for (let i = 0; i < 2000; i++) {
		const exact = Decimal.of(draw.decimal(14, 4));
		if (exact.sign === 0) continue;
		const text = format.figure(exact, { places: 4 });
		const read = text.replaceAll(",", "").replace(/^\((.*)\)$/, "-$1");
		expect(read).toBe(exact.rounded(4).toString());
	}
});

test("a language that Intl refuses is passed over", async () => {
	await speak("en_US", "*", "", "en-US@posix", "de-DE");
	expect(format.figure("1234.5")).toBe("1.234,50");
});

test("a figure follows the language of the reader", async () => {
	await speak("de-DE");
	expect(format.figure("-1234567.891")).toBe("(1.234.567,89)");
	await speak("en-IN");
	expect(format.figure("12345678.9")).toBe("1,23,45,678.90");
	await speak("fr-FR");
	expect(format.figure("1234.5").replace(/\s/, " ")).toBe("1 234,50");
});

test.each([
	["12.54", "12.5%"],
	["-4.05", "(4.1%)"],
	[100, "100.0%"],
	["0.04", "0.0%"],
	[0, "–"],
	[null, ""],
])("percent(%s) is %s", (value, want) => {
	expect(format.percent(value)).toBe(want);
});

test("a percentage in a column has no sign", () => {
	expect(["12.54", "-4.05", 0].map((value) => format.percent(value, { sign: false }))).toEqual(["12.5", "(4.1)", "–"]);
});

test("whole prints zero as 0", () => {
	expect([0, 1234567, "9223372036854775807", null].map(format.whole)).toEqual([
		"0",
		"1,234,567",
		"9,223,372,036,854,775,807",
		"",
	]);
});

test("a date is in UTC, in every time zone of the reader", () => {
	expect(format.date("2025-01-02")).toBe("Jan 2, 2025");
	expect(format.date("2025-01-02T23:59:59.123456789Z")).toBe("Jan 2, 2025");
	expect(format.date("1900-01-01T00:00:00Z")).toBe("Jan 1, 1900");
	expect(format.date("no date")).toBe("no date");
	expect([format.date(""), format.date(null), format.date(undefined)]).toEqual(["", "", ""]);
});

test("a year is of the calendar of the fiscal years, in every locale", async () => {
	for (const locale of ["th-TH", "fa-IR-u-nu-latn", "ar-SA-u-nu-latn"]) {
		await speak(locale);
		expect(format.date("2026-11-13")).toContain("2026");
		expect(format.instant("2026-11-13T12:00:00Z")).toContain("2026");
	}
});

test("a column of times is alike in every locale and time zone, and has no half of the day", async () => {
	vi.stubEnv("TZ", "America/New_York");
	for (const locale of ["en-US", "de-DE", "sv-SE", "th-TH", "ar-EG"]) {
		await speak(locale);
		expect(format.minute("2026-11-20T17:47:59Z"), locale).toBe("2026-11-20 17:47");
		expect(format.minute("2026-11-20T23:00:00-03:00"), locale).toBe("2026-11-21 02:00");
		expect(format.day("2026-11-20T23:59:59.999Z"), locale).toBe("2026-11-20");
	}
	expect([format.minute("soon"), format.minute(null), format.day("")]).toEqual(["soon", "", ""]);
	vi.unstubAllEnvs();
});

test("an instant is in the time zone of the reader, and names it", async () => {
	vi.stubEnv("TZ", "America/New_York");
	await speak("en-US");
	expect(format.instant("2025-06-15T01:34:56Z").replace(/\s/g, " ")).toBe("Jun 14, 2025, 09:34:56 PM EDT");
	expect(format.date("2025-06-15T01:34:56Z")).toBe("Jun 15, 2025");
	vi.unstubAllEnvs();
});

test.each([
	[5_000, "5 seconds ago"],
	[0, "now"],
	[119_000, "1 minute ago"],
	[3_600_000, "1 hour ago"],
	[86_400_000, "yesterday"],
	[3 * 86_400_000, "3 days ago"],
	[400 * 86_400_000, "last year"],
	[-7_200_000, "in 2 hours"],
])("%d ms later is %s", (passed, want) => {
	const at = Date.UTC(2026, 0, 15, 12);
	expect(format.ago(new Date(at).toISOString(), at + passed)).toBe(want);
});

test("a period is not printed as a month", () => {
	expect([format.period(2026, 6), format.period(2026, 12)]).toEqual(["P06 2026", "P12 2026"]);
	expect([format.period(Number("abc"), 6), format.period(2026, Number("x"))]).toEqual(["", ""]);
	expect([format.period(wholeNumber("abc"), 6), format.period(2026, wholeNumber("x"))]).toEqual(["", ""]);
});

test("a currency has a name in the reader's language, or none", async () => {
	await speak("en-US");
	expect(["USD", "QQQ", "Points", ""].map(format.currencyName)).toEqual(["US Dollar", "", "", ""]);
});
