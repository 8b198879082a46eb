import { expect, test } from "vitest";
import { Measures } from "./measures";
import { type Column, print } from "./table";

type Row = [currency: string, amount: string];

const column: Column<Row> = {
	id: "x",
	title: "X",
	kind: "figure",
	currency: ([currency]) => currency,
	value: ([, amount]) => amount,
};

const point =
	Intl.NumberFormat()
		.formatToParts(0.5)
		.find((part) => part.type === "decimal")?.value ?? ".";

/** places returns the decimals of each printed amount. */
function places(measures: Measures<Row>, rows: Row[], unit: "exact" | "millions" = "exact"): number[] {
	const measure = measures.of(column, rows, unit);
	return rows.map((row) => print(column, row[1], measure.of(row)).split(point)[1]?.length ?? 0);
}

test("in a column of several currencies each has its own decimals, and none where all are whole", () => {
	const rows: Row[] = [
		["USD", "6"],
		["JPY", "89147400"],
		["USD", "432.4"],
		["EUR", "619.00"],
		["KWD", "1.5"],
		["XYZ", "0.123"],
	];
	expect(places(new Measures<Row>(), rows)).toEqual([2, 0, 2, 0, 3, 3]);
	expect(places(new Measures<Row>(), [["USD", "1250000"]], "millions")).toEqual([1]);
});

test("rows that come later count, and so does another unit", () => {
	const measures = new Measures<Row>();
	const rows: Row[] = [["USD", "6"]];
	const whole = measures.of(column, rows, "exact").key;
	expect(places(measures, rows)).toEqual([0]);
	const more: Row[] = [...rows, ["USD", "432.4"]];
	more[0] = rows[0] as Row;
	expect(places(measures, more)).toEqual([2, 2]);
	expect(measures.of(column, more, "exact").key).not.toBe(whole);
	expect(places(measures, more, "millions")).toEqual([1, 1]);
});

test("all prices of a column have the decimals of the longest, at least 2, and no more than it allows", () => {
	const of = (prices: string[], finest?: number) => {
		const price: Column<string> = { id: "x", title: "X", kind: "price", finest, value: (text) => text };
		const measure = new Measures<string>().of(price, prices, "millions");
		return prices.map((text) => print(price, text, measure.of(text)).split(point)[1]?.length);
	};
	expect(of(["270.44", "1.3821", "5"])).toEqual([4, 4, 4]);
	expect(of(["270", "1"])).toEqual([2, 2]);
	expect(of(["236.37184095", "75.79"], 4)).toEqual([4, 4]);
});
