import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import { Decimal, type Exact } from "../format/decimal";

/** A tile of a treemap, in percent of the drawing. `at` is the place of its size in the list. */
export interface Tile {
	at: number;
	left: number;
	top: number;
	width: number;
	height: number;
}

/** The space between tiles, in pixels. */
const gap = 2;

/** tilesOf places a tile for each size, the largest first. Its area has the share of its size, without regard to sign. */
export function tilesOf(sizes: readonly Exact[], drawing: { width: number; height: number }): Tile[] {
	if (sizes.length === 0) return [];
	interface Node {
		at: number;
		size: number;
		children?: Node[];
	}
	const children = sizes.map((size, at) => ({ at, size: Decimal.of(size).absolute().number }));
	const root = hierarchy<Node>({ at: -1, size: 0, children })
		.sum(({ size }) => size)
		.sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
	const placed = treemap<Node>().tile(treemapSquarify).size([drawing.width, drawing.height]).paddingInner(gap)(root);
	return placed.leaves().map(({ data, x0, x1, y0, y1 }) => ({
		at: data.at,
		left: (x0 / drawing.width) * 100,
		top: (y0 / drawing.height) * 100,
		width: ((x1 - x0) / drawing.width) * 100,
		height: ((y1 - y0) / drawing.height) * 100,
	}));
}

/** Letters of scripts without spaces are twice as wide as Latin ones. */
const wide = /[\u1100-\uffdc]/g;

/** linesOf returns how many lines of so many letters a name takes, which breaks between words where it can. */
export function linesOf(name: string, letters: number): number {
	if (letters < 1) return Number.POSITIVE_INFINITY;
	let lines = 1;
	let free = letters;
	for (const word of name.split(/\s+/)) {
		const length = word.length + (word.match(wide)?.length ?? 0);
		const space = free < letters ? 1 : 0;
		if (length + space <= free) {
			free -= length + space;
			continue;
		}
		const more = Math.ceil(length / letters);
		lines += free < letters ? more : more - 1;
		free = letters - (length - (more - 1) * letters);
	}
	return lines;
}
