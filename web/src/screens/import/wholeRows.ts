import { rowsOf } from "./calls";
import type { Group } from "./findings";
import { labelOf, type Preview, type Shown } from "./preview";

/** The cells of the rows of a file, by their line. */
export type Lines = ReadonlyMap<number, readonly string[]>;

/** The most rows that are read at once. A row of the wide form is several. */
const most = 1000;

/** readLines reads the wrong rows of a file as far as the lines that are named. */
export async function readLines({ id }: Preview, named: readonly number[]): Promise<Lines> {
	const lines = new Map<number, readonly string[]>();
	const last = Math.max(...named);
	for (let after: number | undefined, first = true; first || after !== undefined; first = false) {
		const { items, next } = await rowsOf(id, "wrong", { after, limit: most });
		for (const { line, cells } of items) if (cells) lines.set(line, cells);
		after = next !== null && (items.at(-1)?.line ?? last) < last ? next : undefined;
	}
	return lines;
}

/** A column of the file beside a finding; a gap where columns are left out. */
export type Beside = Shown | "gap";

/** How many columns there is room for. */
const room = 7;
/** How many of the figures come first. The last one often is a total. */
const first = 3;

const figures = ["period", "amount", "debit", "credit", "total"];

/** besideOf chooses the columns that are shown: those that are read, and those with findings; of many figures the first and the last. */
export function besideOf({ columns }: Preview, groups: readonly Group[]): Beside[] {
	const found = new Set(groups.map(({ column }) => column));
	const read = columns.filter((column) => column.field || found.has(labelOf(column)));
	if (read.length <= room) return read;
	const amounts = read.filter(({ field = "" }) => figures.includes(field));
	const kept = new Set([...amounts.slice(0, first), ...amounts.slice(-1)]);
	return read.flatMap((column, i): Beside[] => {
		if (!amounts.includes(column) || kept.has(column) || found.has(labelOf(column))) return [column];
		const before = read[i - 1];
		const begins = !before || kept.has(before) || found.has(labelOf(before)) || !amounts.includes(before);
		return begins ? ["gap"] : [];
	});
}

/** isFigure reports whether a column has numbers, which stand at its end. */
export function isFigure({ field = "" }: Shown): boolean {
	return figures.includes(field);
}
