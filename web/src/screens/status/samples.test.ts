import { expect, it } from "vitest";
import { Samples } from "./samples";

it("keeps only the newest samples", () => {
	let samples = new Samples(3);
	for (const reading of [1, 2, 3, 4]) samples = samples.with(reading);
	expect(samples.readings).toEqual([2, 3, 4]);
});

it("ends at the right edge, with zero at the bottom and a gap for a missing sample", () => {
	expect(new Samples(5, [0, 4, undefined, 2]).path(80, 10)).toBe("M20.0 10.0L40.0 0.0M80.0 5.0");
});

it("draws zeros along the bottom", () => {
	expect(new Samples(3, [0, 0, 0]).path(20, 10)).toBe("M0.0 10.0L10.0 10.0L20.0 10.0");
});
