import { expect, test } from "vitest";
import { random } from "../../random";
import { isolated, paired } from "./bidi";

test.each([
	["Finance", "Finance"],
	["Zoë 漢字 🙂\tx\n", "Zoë 漢字 🙂\tx\n"],
	["\u202eecnaniF", "\u202eecnaniF\u202c"],
	["\u202ea\u202cb", "\u202ea\u202cb"],
	["\u2067a\u202bb", "\u2067a\u202bb\u202c\u2069"],
	["a\u2069\u202eb", "a\u202eb\u202c"], // would end the isolation around it
	["\u2069\u202c\u2069", ""],
	["\u2066a\u2069\u2069b", "\u2066a\u2069b"],
	["\u202ea\u2069b", "\u202eab\u202c"],
	["\u2066\u202ea\u2069b", "\u2066\u202ea\u2069b"], // the embedding ended with the isolate
	["\u2066\u202ea\u2069\u202cb", "\u2066\u202ea\u2069b"],
	["\u202e\u2066a\u202cb\u2069\u202cc", "\u202e\u2066ab\u2069\u202cc"],
	["\u202ea\nb\u2069c", "\u202ea\u202c\nbc"], // each line is balanced by itself
	["\u2067a\u2029\u202eb", "\u2067a\u2069\u2029\u202eb\u202c"],
	["سلام", "سلام"],
])("the controls of %j are in pairs", (text, want) => {
	expect(paired(text)).toBe(want);
});

test.each([
	["Finance", "Finance"],
	["Zoë 漢字 🙂", "Zoë 漢字 🙂"],
	["\u202eecnaniF", "\u2068\u202eecnaniF\u202c\u2069"],
	["\u2069\u202ex", "\u2068\u202ex\u202c\u2069"],
	["Acme\u200f", "\u2068Acme\u200f\u2069"],
	["מזומן", "\u2068מזומן\u2069"],
	["می\u200cخواهم", "\u2068می\u200cخواهم\u2069"],
	["a\u200bb", "a\u200bb"], // has no width and no direction
])("%j is isolated if it could reorder the text beside it", (text, want) => {
	expect(isolated(text)).toBe(want);
});

test("every text ends with balanced controls and keeps all of its letters", () => {
	const draw = random(14);
	const signs = [..."ab \n\u2029\u202a\u202b\u202c\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2069"];
	for (let i = 0; i < 5000; i++) {
		const text = Array.from({ length: draw.below(12) }, () => signs[draw.below(signs.length)]).join("");
		const once = paired(text);
		expect(paired(once)).toBe(once);
		expect(once.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, "")).toBe(
			text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, ""),
		);
		for (const line of once.split(/[\n\u2029]/)) {
			expect(line.match(/[\u202a\u202b\u202d\u202e\u2066-\u2068]/g)?.length ?? 0).toBeGreaterThanOrEqual(
				line.match(/[\u202c\u2069]/g)?.length ?? 0,
			);
			expect(line.match(/[\u2066-\u2068]/g)?.length ?? 0).toBe(line.match(/\u2069/g)?.length ?? 0);
		}
		expect(paired(`${once}tail`)).toBe(`${once}tail`); // nothing is open at its end
	}
});
