import { expect, test } from "vitest";
import { wholeNumber } from "./number";

test("reads whole numbers, and keeps other text", () => {
	expect(["2026", "06", "0", "-1"].map(wholeNumber)).toEqual([2026, 6, 0, -1]);
	expect(["2026.0", "6.", "6.00", "60e-1", "2e3", " 6", "+6"].map(wholeNumber)).toEqual([2026, 6, 6, 6, 2000, 6, 6]);
	const others = [
		"",
		"abc",
		"NaN",
		"2026.5",
		".",
		"e3",
		"1e-3",
		"0x10",
		"Infinity",
		"99999999999999999999",
		"1e999999999",
	];
	expect(others.map(wholeNumber)).toEqual(others);
});
