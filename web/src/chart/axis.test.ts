import { expect, test } from "vitest";
import { random } from "../../random";
import { Decimal } from "../format/decimal";
import { axisOf } from "./axis";
import { waterfallBars } from "./waterfall";

const barsOf = (from: string, ...steps: string[]) =>
	waterfallBars(
		{ label: "Budget", amount: from },
		steps.map((amount, i) => ({ label: `${i}`, amount })),
		{ label: "Actual", amount: "0" },
		50,
	).bars;

test("an axis whose levels are all far from zero is broken beside zero, and says where it goes on", () => {
	const axis = axisOf(barsOf("496", "-8", "137", "236", "-102"), 7);
	expect(axis.broken).toEqual({ at: 4, amount: "450.000000" });
	expect(axis.at(Decimal.zero)).toBe(0);
	expect(axis.at(Decimal.of(488))).toBeGreaterThan(8);
	expect(axis.at(Decimal.of(861))).toBeCloseTo(100);
	expect(axis.ticks.map(({ amount }) => Number(amount))).toEqual([0, 500, 550, 600, 650, 700, 750, 800, 850]);
});

test("below zero the break is at the other end", () => {
	const axis = axisOf(barsOf("-6398", "-428", "30"), 6);
	expect(axis.broken?.at).toBe(96);
	expect(Number(axis.broken?.amount)).toBeGreaterThan(-6398);
	expect(axis.at(Decimal.zero)).toBe(100);
	expect(axis.at(Decimal.of(-6826))).toBeCloseTo(0);
	expect(axis.ticks[0]).toEqual({ at: 100, amount: "0.000000" });
});

test("an axis is whole where a level is near zero, or on both sides of it", () => {
	for (const bars of [
		barsOf("100", "-80", "50"),
		barsOf("100", "-300"),
		barsOf("0"),
		barsOf("0", "5"),
		barsOf("-3", "2"),
	])
		expect(axisOf(bars, 6).broken).toBeUndefined();
});

test("every level lies on the axis, in the order of the amounts, and no level lies on the break", () => {
	const draw = random(38);
	for (let round = 0; round < 300; round++) {
		const bars = barsOf(draw.decimal(14, 2), ...Array.from({ length: draw.below(20) }, () => draw.decimal(11, 2)));
		const axis = axisOf(bars, 2 + draw.below(8));
		const levels = bars.flatMap(({ start, end }) => [start, end]).sort((a, b) => a.compare(b));
		const places = levels.map((level) => axis.at(level));
		for (const [i, place] of places.entries()) {
			expect(place).toBeGreaterThanOrEqual(-1e-9);
			expect(place).toBeLessThanOrEqual(100 + 1e-9);
			expect(place).toBeGreaterThanOrEqual((places[i - 1] ?? 0) - 1e-9);
			if (axis.broken && levels[i]?.sign !== 0) expect(Math.abs(place - axis.broken.at)).toBeGreaterThan(4);
		}
	}
});
