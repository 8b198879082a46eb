import { expect, test } from "vitest";
import { moved, type Press } from "./moves";

const press = (key: string, held: Partial<Press> = {}): Press => ({
	key,
	ctrlKey: false,
	metaKey: false,
	altKey: false,
	shiftKey: false,
	...held,
});
const grid = { rows: 100, columns: 5, page: 20 };
const from = { row: 50, column: 2 };

test.each([
	["ArrowDown", 51, 2],
	["ArrowUp", 49, 2],
	["ArrowRight", 50, 3],
	["ArrowLeft", 50, 1],
	["PageDown", 70, 2],
	["PageUp", 30, 2],
	["Home", 50, 0],
	["End", 50, 4],
])("%s leads to row %d, column %d", (key, row, column) => {
	expect(moved(press(key), from, grid)).toEqual({ row, column });
});

test("no key leaves the grid", () => {
	const corner = { row: 99, column: 4 };
	for (const key of ["ArrowDown", "ArrowRight", "PageDown", "End"])
		expect(moved(press(key), corner, grid)).toEqual(corner);
	for (const key of ["ArrowUp", "ArrowLeft", "PageUp", "Home"])
		expect(moved(press(key), { row: 0, column: 0 }, grid)).toEqual({ row: 0, column: 0 });
});

test("Home and End with Control or Command reach the ends of the column", () => {
	expect(moved(press("Home", { ctrlKey: true }), from, grid)).toEqual({ row: 0, column: 2 });
	expect(moved(press("End", { metaKey: true }), from, grid)).toEqual({ row: 99, column: 2 });
});

test("other keys are left to the browser", () => {
	for (const held of [{ shiftKey: true }, { altKey: true }])
		expect(moved(press("ArrowDown", held), from, grid)).toBeUndefined();
	expect(moved(press("a"), from, grid)).toBeUndefined();
});
