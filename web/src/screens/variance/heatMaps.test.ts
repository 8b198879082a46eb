import { expect, test } from "vitest";
import { heatMapsOf } from "./heatMaps";
import type { Item } from "./statement";

const line = (department: string, gl_code: string, variance_abs: string, currency = "USD") =>
	({ department, gl_code, gl_description: "", currency, variance_abs }) as unknown as Item;

test("the departments farthest off budget are shown, regardless of sign", () => {
	const items = [
		line("A", "4000", "5.5"),
		line("B", "4000", "-9007199254740993.01"),
		line("C", "4000", "9007199254740993.02"),
		line("A", "6000", "-6"),
		line("D", "6000", "11"),
	];
	const [map] = heatMapsOf(items, [], 3);
	expect(map?.columns.map((c) => c.key)).toEqual(["A", "B", "C"]);
	expect(map?.departments).toBe(4);
	expect(heatMapsOf(items, [], 1)[0]?.columns.map((c) => c.key)).toEqual(["C"]);
	expect(heatMapsOf(items, [], 1)[0]?.rows.map((r) => r.key)).toEqual(["4000"]);
	expect(map?.items.get("6000")?.get("A")?.variance_abs).toBe("-6");
});

test("each currency has a heat map, in the given order", () => {
	const maps = heatMapsOf([line("A", "4000", "2", "EUR"), line("A", "4000", "1")], ["USD", "EUR"], 30);
	expect(maps.map((map) => [map.currency, map.items.get("4000")?.get("A")?.variance_abs])).toEqual([
		["USD", "1"],
		["EUR", "2"],
	]);
});
