import { expect, test } from "vitest";
import { random } from "../../random";
import { Measures } from "./measures";
import type { Column } from "./table";
import { fit, fitRows, type Room, Widths } from "./widths";

const figure = (need: number, priority = 1): Room => ({ need, least: need, priority });
const name = (need: number, least: number, priority = 1): Room => ({ need, least, priority });

test("where there is room every column is whole, and the table is not wider than it reads", () => {
	const { shown, widths, width } = fit([name(200, 100), figure(100, 3), figure(80, 2)], 1900);
	expect([shown, widths, width]).toEqual([[0, 1, 2], [200, 100, 80], 570]);
	expect(fit([name(320, 100), figure(300), figure(300)], 1900).width).toBe(1090);
	expect(fit([name(320, 100), figure(800), figure(300)], 1900).width).toBe(1420);
});

test("the least needed columns leave first, then names get narrower, and only then the table is wider than its place", () => {
	const rooms = [name(200, 100), figure(100, 3), figure(80, 2), figure(60)];
	expect(fit(rooms, 400).shown).toEqual([0, 2, 3]);
	expect(fit(rooms, 300).shown).toEqual([0, 3]);
	expect(fit(rooms, 200)).toEqual({ shown: [0, 3], widths: [140, 60], width: 200 });
	expect(fit(rooms, 90)).toEqual({ shown: [0, 3], widths: [100, 60], width: 160 });
});

test("no figure is ever narrower than it needs, whatever the place", () => {
	const draw = random(38);
	for (let round = 0; round < 200; round++) {
		const rooms = Array.from({ length: 1 + draw.below(9) }, (_, i) =>
			i % 3 === 0 ? name(50 + draw.below(300), 40, 1 + draw.below(4)) : figure(30 + draw.below(200), 1 + draw.below(6)),
		);
		const place = 100 + draw.below(1900);
		const { shown, widths, width } = fit(rooms, place);
		shown.forEach((i, n) => expect(widths[n]).toBeGreaterThanOrEqual(rooms[i]?.least ?? 0));
		const taken = widths.reduce((all, each) => all + each, 0);
		expect(width).toBeGreaterThanOrEqual(taken);
		if (width > place) expect(shown.every((i) => rooms[i]?.priority === 1)).toBe(true);
	}
});

test("a column is as wide as its longest figure, also one that comes later or grows when it is rounded", () => {
	const column: Column<string> = { id: "x", title: "X", kind: "figure", value: (row) => row };
	const widths = new Widths<string>();
	const measures = new Measures<string>();
	const need = (rows: string[]) => widths.of(column, rows, measures.of(column, rows, "exact")).need;
	const rows = ["1.5", "-22"];
	const short = need(rows);
	const longer = [...rows, "-123456789.12"];
	const long = need(longer);
	expect(long).toBeGreaterThan(short);
	expect(need([...longer, "1"])).toBe(long);
	const cents = {
		of: () => ({ unit: "exact", places: 2 }) as const,
		in: () => ({ unit: "exact", places: 2 }) as const,
		key: "",
	};
	const grown = new Widths<string>().of(column, ["999.999", "111.11"], cents).need;
	expect(grown).toBe(new Widths<string>().of(column, ["1000.00"], cents).need);
});

test("rows that lead elsewhere have a button only where a column is left out", () => {
	const rooms = [
		{ need: 100, least: 100, priority: 1 },
		{ need: 50, least: 50, priority: 2 },
	];
	expect(fitRows(rooms, 150, true)).toMatchObject({ shown: [0, 1], widths: [100, 50] });
	expect(fitRows(rooms, 140, true)).toMatchObject({ shown: [0], widths: [122] });
	expect(fitRows(rooms, 172, false)).toMatchObject({ shown: [0, 1], widths: [122, 50] });
	expect(fitRows(rooms, 150, false)).toMatchObject({ shown: [0], widths: [122] });
});
