import { expect, test } from "vitest";
import { random } from "../../../random";
import { Decimal } from "../../format/decimal";
import { type CurrencyHeatMap, departmentMaps, departmentsIn, percentOf, periodMaps } from "./heatMaps";
import type { Item, TrendItem } from "./statement";

const line = (
	department: string,
	gl_code: string,
	variance_abs: string,
	currency = "USD",
	budget: string | null = "0",
) =>
	({
		department,
		gl_code,
		gl_type: gl_code < "6000" ? "revenue" : "opex",
		gl_description: "",
		currency,
		budget,
		variance_abs,
		favour_high: true,
	}) as unknown as Item;

const rowsOf = (map: CurrencyHeatMap | undefined) => map?.groups.flatMap(({ rows }) => rows) ?? [];

test("the departments farthest off budget are shown, the worst first; the others are one sum", () => {
	const items = [
		line("A", "4000", "5.5"),
		line("B", "4000", "-9007199254740993.01"),
		line("C", "4000", "9007199254740993.02"),
		line("A", "6000", "-6"),
		line("D", "6000", "11"),
		line("E", "6000", "0"),
	];
	const [map] = departmentMaps(items, [], 3);
	expect(map?.columns.map((c) => c.key)).toEqual(["B", "A", "C"]);
	expect([map?.departments, map?.others.count, map?.others.total.variance.toString()]).toEqual([4, 1, "11"]);
	expect(rowsOf(map).map((r) => [r.key, r.variance.toString()])).toEqual([
		["4000", "5.51"],
		["6000", "5"],
	]);
	expect(map?.cells.get("6000")?.get("A")?.variance.toString()).toBe("-6");
	expect(map?.total.variance.toString()).toBe("10.51");
});

test("rows and columns that are on budget in every cell are left out", () => {
	const items = [line("A", "4000", "0"), line("B", "4000", "0.00"), line("A", "6000", "-1"), line("B", "6000", "0")];
	const [map] = departmentMaps(items, [], 30);
	expect(rowsOf(map).map((r) => r.key)).toEqual(["6000"]);
	expect(map?.columns.map((c) => c.key)).toEqual(["A"]);
	expect(map?.others.count).toBe(0);
});

test("each currency has a heat map, in the given order", () => {
	const maps = departmentMaps([line("A", "4000", "2", "EUR"), line("A", "4000", "1")], ["USD", "EUR"], 30);
	expect(maps.map((map) => [map.currency, map.total.variance.toString()])).toEqual([
		["USD", "1"],
		["EUR", "2"],
	]);
});

test("rows, columns and the others add up to the total", () => {
	const draw = random(4);
	for (let round = 0; round < 50; round++) {
		const items = Array.from({ length: 200 }, (_, i) =>
			line(`D${i % 25}`, `${4000 + Math.floor(i / 25)}`, draw.decimal(12, 2), "USD", draw.decimal(12, 2)),
		);
		const [map] = departmentMaps(items, [], 12);
		if (!map) throw new Error("there is no map");
		const sum = (of: { variance: Decimal }[]) => Decimal.sum(of.map(({ variance }) => variance)).toString();
		const total = map.total.variance.toString();
		expect(Number(sum(rowsOf(map)))).toBe(Number(total));
		expect(Number(sum([...map.columns, map.others.total]))).toBe(Number(total));
		for (const row of rowsOf(map)) {
			const cells = [...(map.cells.get(row.key)?.values() ?? [])];
			const others = map.others.of.get(row.key);
			expect(Number(sum(others ? [...cells, others] : cells))).toBe(Number(row.variance.toString()));
		}
	}
});

test("a year has a column for each period up to the last one", () => {
	const item = {
		gl_code: "6000",
		gl_type: "opex",
		gl_description: "Rent",
		currency: "USD",
		favour_high: false,
		budget: [100, "50", null, 10],
		variance_abs: ["-10", 5, null, 10],
	} as unknown as TrendItem;
	const [map] = periodMaps([item], [], 3);
	expect(map?.columns.map((c) => [c.key, c.variance.toString()])).toEqual([
		["1", "-10"],
		["2", "5"],
		["3", "0"],
	]);
	expect(rowsOf(map)[0]?.label).toBe("Rent");
	expect(map?.cells.get("6000")?.get("1")?.percent).toBe("-10.0000");
	expect(rowsOf(map)[0]?.budget.toString()).toBe("-150");
});

test("a variance has a percentage of the size of its budget, and none without a budget", () => {
	const sum = (variance: string, budget: string) => ({ variance: Decimal.of(variance), budget: Decimal.of(budget) });
	expect(percentOf(sum("-5", "-20"))).toBe("-25.0000");
	expect(percentOf(sum("5", "20"))).toBe("25.0000");
	expect(percentOf(sum("5", "0"))).toBeUndefined();
});

test("a heat map has as many departments as there is room for, so that no column is cut", () => {
	expect([1640, 1168, 696, 358].map((width) => departmentsIn(width, 7))).toEqual([12, 11, 6, 1]);
	expect(departmentsIn(1168, 14)).toBe(5);
	expect(departmentsIn(0, 7)).toBe(1);
});

test("accounts stand by type in the order of the statement, the worst first, with a sum by column", () => {
	const items = [
		line("A", "6000", "-1"),
		line("A", "6100", "-4"),
		line("B", "6100", "3"),
		line("C", "6200", "0"),
		line("A", "4000", "2"),
		line("D", "6000", "0.5"),
	];
	const [map] = departmentMaps(items, [], 2);
	expect(map?.groups.map(({ type, rows }) => [type, rows.map(({ key }) => key)])).toEqual([
		["revenue", ["4000"]],
		["opex", ["6100", "6000"]],
	]);
	const opex = map?.groups[1];
	expect([...(opex?.columns ?? [])].map(([key, { variance }]) => [key, variance.toString()])).toEqual([
		["A", "-5"],
		["B", "3"],
		["C", "0"],
		["D", "0.5"],
	]);
	expect([opex?.total.variance.toString(), opex?.others?.variance.toString()]).toEqual(["-1.5", "0.5"]);
});
