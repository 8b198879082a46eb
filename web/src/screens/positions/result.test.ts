import { expect, test } from "vitest";
import { largest, resultOf } from "./result";

test("a result is in percent of the cost, of a short position too", () => {
	expect(resultOf({ value: 110, unrealised: 10 })).toBe("10.0000");
	expect(resultOf({ value: "-90.5", unrealised: "9.5" })).toBe("9.5000");
	expect(resultOf({ value: -120, unrealised: -20 })).toBe("-20.0000");
	expect(resultOf({ value: 5, unrealised: 5 })).toBeNull();
});

test("the largest are those farthest from zero, the best first", () => {
	expect(largest([1, -30, "20.5", 0, "-2"], (amount) => amount, 3)).toEqual(["20.5", "-2", -30]);
	expect(largest([0], (amount) => amount, 3)).toEqual([]);
});
