import { expect, test } from "vitest";
import { extent, lines } from "./sparkline";

test("a sparkline has a gap for a missing value", () => {
	const values = [1, null, "3", 5];
	const span = extent(values);
	expect(span).toEqual({ low: 1, high: 5 });
	expect(lines(values, span, { width: 34, height: 24 })).toEqual([
		[{ x: 2, y: 22 }],
		[
			{ x: 22, y: 12 },
			{ x: 32, y: 2 },
		],
	]);
	expect(lines([null, null], extent([null]), { width: 34, height: 24 })).toEqual([]);
	expect(lines([7], extent([7]), { width: 34, height: 24 })).toEqual([[{ x: 2, y: 12 }]]);
});
