import { expect, test } from "vitest";
import { linesOf, tilesOf } from "./treemap";

const drawing = { width: 600, height: 300 };

test("each size has a tile, the largest first, whose area is its share without regard to sign", () => {
	const tiles = tilesOf([100, "-600", "300.5", 0.5], drawing);
	expect(tiles.map(({ at }) => at)).toEqual([1, 2, 0, 3]);
	const area = (i: number) => ((tiles[i]?.width ?? 0) * (tiles[i]?.height ?? 0)) / 100;
	expect(area(0)).toBeGreaterThan(56);
	expect(area(0)).toBeLessThan(61);
	expect(area(0) / area(1)).toBeCloseTo(2, 0);
});

test("tiles lie in the drawing and do not overlap", () => {
	const tiles = tilesOf(
		Array.from({ length: 40 }, (_, i) => (i + 1) ** 2),
		drawing,
	);
	expect(tiles).toHaveLength(40);
	const over = tiles.flatMap((a, i) =>
		tiles
			.slice(i + 1)
			.filter(
				(b) =>
					a.left < b.left + b.width - 1e-9 &&
					b.left < a.left + a.width - 1e-9 &&
					a.top < b.top + b.height - 1e-9 &&
					b.top < a.top + a.height - 1e-9,
			),
	);
	expect(over).toEqual([]);
	for (const { left, top, width, height } of tiles) {
		expect(Math.min(left, top, width, height)).toBeGreaterThanOrEqual(0);
		expect(Math.max(left + width, top + height)).toBeLessThanOrEqual(100 + 1e-9);
	}
});

test("tiles of equal sizes are not slender", () => {
	for (const { width, height } of tilesOf(Array(12).fill(5), { width: 400, height: 300 })) {
		const ratio = (width * 4) / (height * 3);
		expect(Math.max(ratio, 1 / ratio)).toBeLessThan(3);
	}
});

test("no size has no tile", () => expect(tilesOf([], drawing)).toEqual([]));

test.each([
	["NBKI", 4, 1],
	["NBKI", 3, 2],
	["BWTU 4.75 03/35 bond", 12, 2],
	["BWTU 4.75 03/35 bond", 20, 1],
	["BWTU 4.75 03/35 bond", 5, 4],
	["A LONGWORDINDEED", 4, 5],
	["日本", 4, 1],
	["日本", 3, 2],
	["NBKI", 0, Number.POSITIVE_INFINITY],
])("%s in lines of %i letters takes %i", (name, letters, lines) => expect(linesOf(name, letters)).toBe(lines));
