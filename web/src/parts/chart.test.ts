import { expect, test } from "vitest";
import { legible } from "./chart";

const shown = (amounts: (number | null)[], apart: number) => [...legible(amounts, apart)].sort((a, b) => a - b);

test("bars that stand far enough apart all have their labels", () => {
	expect(shown([1, 2, null, -3], 1)).toEqual([0, 1, 3]);
	expect(shown([1, 2, null, -3], 0.7)).toEqual([0, 1, 3]);
});

test("of bars nearer than their labels are wide the longest has its label, on either side of zero", () => {
	expect(shown([1, 2, 1], 1.5)).toEqual([1]);
	expect(shown([3, 2, 1], 1.5)).toEqual([0, 2]);
	expect(shown([1, -2, 1, -3], 1.5)).toEqual([0, 1, 2, 3]);
	expect(shown([1, -2, 1, -3], 2.5)).toEqual([0, 3]);
	expect(shown([], 3)).toEqual([]);
});
