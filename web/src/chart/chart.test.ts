import { expect, test } from "vitest";
import { amount, places, readableLabels, roundScale } from "./chart";

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
});

test("a scale has round steps, includes zero and every amount, and shows no rounding errors of floats", () => {
	expect(roundScale([-1_500_000, -20], 3)).toEqual({
		least: -1_500_000,
		most: 0,
		step: 500_000,
		ticks: [-1_500_000, -1_000_000, -500_000, 0],
	});
	expect(roundScale([0.29, -0.1], 3).ticks).toEqual([-0.1, 0, 0.1, 0.2, 0.3]);
	expect(roundScale([], 3)).toMatchObject({ least: 0, most: 1.2 });
	for (const amounts of [[7], [-7], [99_999_999_999_999, -3], [0.0001], [35, -34]]) {
		const { least, most, step, ticks } = roundScale(amounts, 3);
		expect([least <= Math.min(0, ...amounts), most >= Math.max(0, ...amounts)], `${amounts}`).toEqual([true, true]);
		expect(ticks.length, `${amounts}`).toBeLessThanOrEqual(6);
		expect(most - least, `${amounts}`).toBeCloseTo(step * (ticks.length - 1));
		expect(ticks).toContain(0);
	}
});

test("the table of a chart distinguishes amounts from names", () => {
	expect(["12.50", "-3", 7, "P06", "1e3", "", null].map(amount)).toEqual([
		"12.50",
		"-3",
		7,
		undefined,
		undefined,
		undefined,
		undefined,
	]);
	const grid = {
		head: ["Month", "Actual", "Count"],
		rows: [
			["P01", "1.2345", 3],
			["P02", null, 4],
		],
	};
	expect([places(grid, 1), places(grid, 2)]).toEqual([2, 0]);
});
