import { render } from "svelte/server";
import { expect, test } from "vitest";
import { random } from "../../random";
import { Decimal } from "../format/decimal";
import Waterfall from "./Waterfall.svelte";
import { type Named, waterfallBars } from "./waterfall";

const named = (label: string, amount: string): Named => ({ label, amount });

test("the bars meet, and the last one is the sum of the steps", () => {
	const draw = random(9);
	for (let round = 0; round < 200; round++) {
		const from = named("Budget", draw.decimal(14, 4));
		const steps = Array.from({ length: draw.below(30) }, (_, i) => named(`Step ${i}`, draw.decimal(14, 4)));
		const sum = Decimal.sum([from, ...steps].map((each) => Decimal.of(each.amount)));
		const { bars, gap } = waterfallBars(from, steps, named("Actual", sum.toString()), 12);
		expect(bars.length).toBe(Math.min(steps.length, 12) + 2);
		for (let i = 1; i < bars.length - 1; i++) {
			expect(bars[i]?.start.compare(bars[i - 1]?.end as Decimal)).toBe(0);
			expect(bars[i]?.start.plus(bars[i]?.amount as Decimal).compare(bars[i]?.end as Decimal)).toBe(0);
		}
		expect(bars.at(-1)?.amount.compare(sum)).toBe(0);
		expect(bars.at(-1)?.start.sign).toBe(0);
		expect(gap.sign).toBe(0);
	}
});

test("a difference to the reported total is a gap, not a bar", () => {
	const { bars, gap } = waterfallBars(named("Budget", "100"), [named("Sales", "-10.25")], named("Actual", "90"), 12);
	expect(bars.map((bar) => bar.amount.toString())).toEqual(["100", "-10.25", "89.75"]);
	expect(gap.toString()).toBe("0.25");
});

test("the largest steps keep their place, and the smallest become one at the end", () => {
	const steps = [named("a", "1"), named("b", "-50"), named("c", "2"), named("d", "40")];
	const { bars } = waterfallBars(named("Budget", "0"), steps, named("Actual", "-7"), 3);
	expect(bars.map((bar) => bar.label)).toEqual(["Budget", "b", "d", "2 smaller items", "Actual"]);
	expect(bars.map((bar) => bar.tone)).toEqual(["plan", "bad", "good", "good", "actual"]);
});

test("a part of a statement ends in the result so far, and its smallest steps become one within it", () => {
	const [revenue, costs] = [{ title: "After revenue" }, { title: "" }];
	const steps = [
		{ ...named("a", "50"), part: revenue },
		{ ...named("b", "-1"), part: revenue },
		{ ...named("c", "2"), part: revenue },
		{ ...named("d", "-40"), part: costs },
		{ ...named("e", "1"), part: costs },
	];
	const drawn = (most: number) =>
		waterfallBars(named("Budget", "100"), steps, named("Actual", "112"), most).bars.map(
			({ label, amount, tone }) => `${label} ${amount} ${tone}`,
		);
	expect(drawn(9)).toEqual([
		"Budget 100 plan",
		"a 50 good",
		"b -1 bad",
		"c 2 good",
		"After revenue 151 level",
		"d -40 bad",
		"e 1 good",
		"Actual 112 actual",
	]);
	expect(drawn(4).slice(1, 4)).toEqual(["a 50 good", "2 smaller items 1 good", "After revenue 151 level"]);
	expect(drawn(4).slice(-3)).toEqual(["d -40 bad", "e 1 good", "Actual 112 actual"]);
});

test("a waterfall that does not reconcile says so", () => {
	const as = { unit: "exact", places: 2 } as const;
	const props = {
		as,
		currency: "USD",
		from: { label: "Budget", amount: 100 },
		steps: [{ label: "Sales", amount: -10 }],
		label: "Drivers",
	};
	const right = render(Waterfall, { props: { ...props, to: { label: "Actual", amount: 90 } } }).body;
	const wrong = render(Waterfall, { props: { ...props, to: { label: "Actual", amount: 91 } } }).body;
	expect(right).not.toContain("no step");
	expect(wrong).toContain("no step");
	expect(wrong).toContain('data-raw="90"');
});
