import { expect, test } from "vitest";
import { type Grid, readableLabels, said } from "./chart";

const shown = (amounts: (number | null)[], apart: number) => [...readableLabels(amounts, apart)].sort((a, b) => a - b);

test("bars that are far enough apart keep their labels", () => {
	expect(shown([1, 2, null, -3], 1)).toEqual([0, 1, 3]);
	expect(shown([1, 2, null, -3], 0.7)).toEqual([0, 1, 3]);
});

test("of bars that are too close the longest keeps its label, on either side of zero", () => {
	expect(shown([1, 2, 1], 1.5)).toEqual([1]);
	expect(shown([3, 2, 1], 1.5)).toEqual([0, 2]);
	expect(shown([1, -2, 1, -3], 1.5)).toEqual([0, 1, 2, 3]);
	expect(shown([1, -2, 1, -3], 2.5)).toEqual([0, 3]);
	expect(shown([], 3)).toEqual([]);
	expect([...readableLabels([1, 5, 3], 1.5, 2)].sort()).toEqual([0, 2]);
});

test("a row is said as it is printed, with the titles of its columns", () => {
	const grid: Grid = {
		head: [
			{ title: "Month" },
			{ title: "Actual", as: { unit: "millions", places: 1 } },
			{ title: "%", as: "percent" },
			{ title: "Budget", as: { unit: "exact", places: 2 } },
		],
		rows: [["P01", "-1234567", "12.5", null]],
	};
	expect(said(grid, 0)).toEqual([
		["Month", "P01"],
		["Actual", "(1.2)"],
		["%", "12.5%"],
		["Budget", "–"],
	]);
	expect(said(grid, 1)).toEqual([]);
});
