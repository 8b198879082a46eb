import { expect, test } from "vitest";
import { compoundKey, partsOfKey } from "./compoundKey";

/** Texts that can become equal when they are joined without escaping. */
const texts = [
	"",
	" ",
	"  ",
	"A",
	"B",
	"A B",
	"B C",
	"%",
	"%20",
	"%25",
	"%2520",
	"A,B",
	",",
	"%2C",
	"A%",
	"20",
	"\ud800",
	"é",
];

const lists = [...texts.map((a) => [a]), ...texts.flatMap((a) => texts.map((b) => [a, b]))];
lists.push(...texts.flatMap((a) => texts.flatMap((b) => ["A", " ", "%"].map((c) => [a, b, c]))));

test.each([" ", ","])(
	"different lists have different compound keys, which can be split again, with the separator %j",
	(separator) => {
		const seen = new Map<string, string[]>();
		for (const list of lists) {
			const key = compoundKey(list, separator);
			expect([list, seen.get(key)]).toEqual([list, undefined]);
			seen.set(key, list);
			expect(partsOfKey(key, separator)).toEqual(list);
		}
	},
);

test("texts without a space are joined by one space", () => {
	expect(compoundKey(["4000", "USD"])).toBe("4000 USD");
	expect(compoundKey(["4000"])).toBe("4000");
	expect(compoundKey(["A B", "EUR"])).not.toBe(compoundKey(["A", "B EUR"]));
});

test("as a control, a join without escaping gives equal keys", () => {
	const careless = lists.map((list) => list.join(" "));
	expect(new Set(careless).size).toBeLessThan(lists.length);
});
