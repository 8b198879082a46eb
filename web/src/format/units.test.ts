import { expect, it } from "vitest";
import { bytes, microseconds } from "./units";

it.each([
	["85µs", 85],
	["1.2ms", 1200],
	["1h2m3s", 3723e6],
	["0s", 0],
	["750ns", 0.75],
	["", undefined],
	["soon", undefined],
	["1s or so", undefined],
])("%j is %d µs", (duration, want) => {
	expect(microseconds(duration)).toBe(want);
});

it("bytes prints none, some and many", () => {
	expect([0, 1, 999, 8_400_000].map(bytes)).toEqual(["0 bytes", "1 byte", "999 bytes", "8.4 MB"]);
});
