import { expect, test } from "vitest";
import { isolated } from "../format/bidi";
import { htmlOf, plain } from "./copy";

test.each([
	`=HYPERLINK("https://example.com","Total")`,
	"@SUM(A1:A9)",
	"+1+cmd|' /C calc'!A0",
	"-1+1",
	"--5",
	"-5e3",
	"-",
	"\t=1+1",
	"\r=1+1",
	"\n =1+1",
	"\u00a0=1+1",
	`"=1+1"`,
	"＝1+1",
])("a text that a spreadsheet would take for a formula is copied with an apostrophe: %j", (text) => {
	expect(plain(text)).toBe(`'${text.trim()}`);
});

test.each(["-5", "-99999999999999.9999", "0", "1234.50", "2026-06-30", "5-1", "Cash = king", "A@B", "– 5", ""])(
	"a figure and any other text are copied as they are: %j",
	(text) => {
		expect(plain(text)).toBe(text);
	},
);

test.each(["מחקר ופיתוח", "\u2068abc\u2069", "a\u202eb\u202c"])(
	"a text is copied without the isolation for display: %j",
	(text) => {
		expect(plain(isolated(text))).toBe(text);
	},
);

test("a formula is found behind the isolation for display and white space", () => {
	expect(plain(isolated("\n =1+1 אב"))).toBe("'=1+1 אב");
});

test("a text of several lines is copied as one line", () => {
	expect(plain("Cash\n=1+1\tmore")).toBe("Cash =1+1 more");
});

test("lines are copied as a table too, with an empty cell where there is nothing, and without tags of their own", () => {
	expect(
		htmlOf([
			["Name", "Amount"],
			["<b>A&B</b>", ""],
		]),
	).toBe("<table><tr><td>Name</td><td>Amount</td></tr><tr><td>&lt;b&gt;A&amp;B&lt;/b&gt;</td><td></td></tr></table>");
});
