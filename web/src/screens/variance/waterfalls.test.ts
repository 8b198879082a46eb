import { expect, test } from "vitest";
import { random } from "../../../random";
import { waterfallBars } from "../../chart/waterfall";
import { Decimal } from "../../format/decimal";
import type { Summary } from "./statement";
import { waterfallsOf } from "./waterfalls";

function summary(draw: ReturnType<typeof random>): Summary {
	const items = ["EUR", "USD"].flatMap((currency) =>
		Array.from({ length: 20 }, (_, i) => ({
			gl_code: String(4000 + i),
			gl_description: "",
			gl_type: i < 10 ? "revenue" : "opex",
			currency,
			variance_abs: draw.decimal(12, 4),
		})),
	);
	const sum = (currency: string, type = "") =>
		Decimal.sum(
			items
				.filter((item) => item.currency === currency && item.gl_type.startsWith(type))
				.map((item) => Decimal.of(item.variance_abs)),
		).toString();
	return {
		items,
		subtotals: ["EUR", "USD"].flatMap((currency) =>
			["revenue", "opex"].map((gl_type) => ({ currency, gl_type, variance_abs: sum(currency, gl_type) })),
		),
		totals: ["EUR", "USD"].map((currency) => ({
			currency,
			budget: 1000,
			actual: Decimal.of(1000)
				.plus(Decimal.of(sum(currency)))
				.toString(),
			variance_abs: sum(currency),
		})),
	} as unknown as Summary;
}

test("every waterfall leads from the budgeted to the actual net result of its currency without a gap", () => {
	const draw = random(17);
	for (let round = 0; round < 50; round++) {
		const report = summary(draw);
		for (const [group, order] of [
			["account", "statement"],
			["account", "size"],
			["type", "statement"],
		] as const) {
			const walks = waterfallsOf(report, group, order, ["USD", "EUR"], () => "");
			expect(walks.map((walk) => walk.currency)).toEqual(["USD", "EUR"]);
			for (const walk of walks) expect(waterfallBars(walk.from, walk.steps, walk.to, 15).gap.sign).toBe(0);
		}
	}
});

test("an item on budget is no step", () => {
	const report = summary(random(1));
	const [first] = report.items;
	if (first) first.variance_abs = "0.00";
	expect(waterfallsOf(report, "account", "statement", [], () => "")[0]?.steps).toHaveLength(19);
});

test("every step links to its account, department or type", () => {
	const said = (group: "account" | "type") =>
		waterfallsOf(
			summary(random(1)),
			group,
			"statement",
			["USD"],
			(step) => `${step.gl_code ?? step.gl_type} ${step.currency}`,
		)[0]?.steps;
	expect(said("account")?.[0]?.href).toBe("4000 USD");
	expect(said("type")?.map((step) => [step.label, step.href])).toEqual([
		["Revenue", "revenue USD"],
		["Operating expenses", "opex USD"],
	]);
});

test("steps are in the order of the statement, with a result after revenue, or the largest first", () => {
	const report = summary(random(3));
	report.items.reverse();
	const walk = (order: "statement" | "size") =>
		waterfallsOf(report, "account", order, ["USD"], ({ gl_code = "" }) => gl_code).find(
			({ currency }) => currency === "USD",
		);
	const steps = walk("statement")?.steps ?? [];
	expect(steps.map(({ part }) => part?.title)).toEqual([...Array(10).fill("After revenue"), ...Array(10).fill("")]);
	const sizes = (walk("size")?.steps ?? []).map(({ amount }) => Decimal.of(amount).absolute());
	for (const [i, size] of sizes.entries())
		if (i > 0) expect(size.compare(sizes[i - 1] as Decimal)).toBeLessThanOrEqual(0);
});

test("a department is named, not coded", () => {
	const report = summary(random(1));
	for (const item of report.items) Object.assign(item, { department: "OPS" });
	const [walk] = waterfallsOf(report, "department", "size", ["USD"], () => "", new Map([["OPS", "Operations"]]));
	expect(walk?.steps[0]?.label).toBe("Operations");
	expect(waterfallsOf(report, "department", "size", ["USD"], () => "")[0]?.steps[0]?.label).toBe("OPS");
});
