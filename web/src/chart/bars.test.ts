import { expect, test } from "vitest";
import { Decimal } from "../format/decimal";
import { base, scale, segment } from "./bars";

test("bars lie within their scale, from zero", () => {
	const amounts = ["-50", "150", "0"].map(Decimal.of);
	const span = scale(amounts);
	expect(base(span)).toBe(25);
	expect(amounts.map((each) => segment(Decimal.zero, each, span))).toEqual([
		{ start: 0, length: 25 },
		{ start: 25, length: 75 },
		{ start: 25, length: 0.25 },
	]);
	expect(segment(Decimal.zero, Decimal.zero, scale([]))).toEqual({ start: 0, length: 0.25 });
});
