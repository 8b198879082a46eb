import { expect, test } from "vitest";
import { numberOf } from "./number";

test("a whole number is one, and what is none stays as it is written", () => {
	expect(["2026", "06", "0", "-1"].map(numberOf)).toEqual([2026, 6, 0, -1]);
	const others = ["", "abc", "NaN", "2026.5", "1e3", "0x10", " 6", "Infinity", "99999999999999999999"];
	expect(others.map(numberOf)).toEqual(others);
});
