import { expect, test } from "vitest";
import { columnRuns, heatScale } from "./heatScale";

test("the heat of an amount has its sign, and is strongest for the largest amount", () => {
	const heat = heatScale(["-400", 100, null]);
	expect([heat("-400"), heat(100), heat(null), heat(0)]).toEqual([-1, 0.5, 0, 0]);
	expect(heatScale([null])(null)).toBe(0);
});

test("a heat map is split into runs of columns that contain every column once and fit on a sheet", () => {
	expect(columnRuns(3, 7)).toEqual([{ from: 0, to: 3 }]);
	expect(columnRuns(0, 7)).toEqual([]);
	const parts = columnRuns(60, 9);
	expect(parts.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i))).toEqual(
		Array.from({ length: 60 }, (_, i) => i),
	);
	expect(parts.length).toBeGreaterThan(5);
	expect(columnRuns(2, 500)).toEqual([
		{ from: 0, to: 1 },
		{ from: 1, to: 2 },
	]);
});
