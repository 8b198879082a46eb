import { expect, test } from "vitest";
import { columnRuns, cutsOf, heatScale } from "./heat";

test("a value has one of seven steps, under the first cut it is plain, and at a cut the deeper step begins", () => {
	const heat = heatScale([2, 15, 60]);
	const values = ["-9007199254740993", -60, "-59.99", -2, "-1.99", 0, "1.99", 2, "14.99", 15, 60, null];
	expect(values.map(heat)).toEqual([-3, -3, -2, -1, 0, 0, 0, 1, 1, 2, 3, 0]);
});

test("cuts are round, ascend, and leave the many small values plain", () => {
	const sizes = Array.from({ length: 100 }, (_, i) => (i % 2 ? i : -i) * 1000);
	const cuts = cutsOf(sizes);
	expect(cuts).toEqual([30_000, 70_000, 100_000]);
	const steps = sizes.map(heatScale(cuts));
	expect(steps.filter((step) => step === 0).length).toBeGreaterThan(15);
	for (const values of [[], [0], ["0.03"], [5, 5, 5, 5], ["-99999999999999.99", 1]]) {
		const [one, two, three] = cutsOf(values);
		expect([one > 0, one < two, two < three], `${values}`).toEqual([true, true, true]);
		for (const cut of [one, two, three])
			expect(String(cut), `${values}`).toMatch(/^(0\.0*)?(1|1\.5|15|2|3|5|7)(0*|e\+\d+)$/);
	}
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
