import { tooSmall } from "../format/amounts";
import type { Exact } from "../format/decimal";
import type { ColumnMeasure } from "./measures";
import { face, headShare, room } from "./ruler.svelte";
import { type Column, numeric, print } from "./table";

/** The space at both sides of a cell, and what rounding of widths takes; on a phone there is less. */
const padding = 24;
const phonePadding = 16;
/** The button that opens a row, in the first column. */
const twist = 22;
/** The arrow that a sorted head has beside its title. */
const arrow = 14;
/** The space before a code that follows a name. */
const gap = 8;
/** A text is at most this wide, and a name that has too little room at least this. */
const widest = 320;
const narrowest = 96;
/** On a phone a name has two lines. A line has more than half of it, because words differ in length. */
const line = 0.6;

/** The room of a column: `need` shows all that is in it. A name can do with `least`. */
export interface Room {
	need: number;
	least: number;
	/** 1 for a column that always stays. Of the others those with the highest number leave first. */
	priority: number;
}

/** The room of what is drawn, such as a bar. */
const drawn = { need: 112, least: 96 };
const drawnOnPhone = { need: 56, least: 40 };

/** Widths measures the columns of a table. Rows that were measured are not measured again. */
export class Widths<T> {
	readonly #measured = new Map<string, { first: T | undefined; rows: number; look: string; need: number }>();

	/** of returns the room of a column. */
	of(column: Column<T>, rows: readonly T[], measure: ColumnMeasure<T>, phone = false): Room {
		if (column.kind === "drawn") return { ...(phone ? drawnOnPhone : drawn), priority: column.priority ?? 1 };
		const before = this.#measured.get(column.id);
		const look = `${face()} ${measure.key} ${phone}`;
		const known =
			before && before.look === look && before.first === rows[0] && before.rows <= rows.length ? before : undefined;
		const fresh = known ? rows.slice(known.rows) : rows;
		const head = room(column.title) * headShare + (column.sortable ? arrow : 0);
		const cells = numeric(column.kind) ? figureRoom(column, fresh, measure) : textRoom(column, fresh, measure, phone);
		const need = Math.max(known?.need ?? head, cells);
		this.#measured.set(column.id, { first: rows[0], rows: rows.length, look, need });
		const whole = Math.ceil(need + (phone ? phonePadding : padding));
		const text = !numeric(column.kind) && column.kind !== "time" && column.kind !== "date";
		const most = Math.min(whole, column.widest ?? widest);
		const wrapped = phone ? Math.min(most, Math.max(narrowest, Math.ceil(line * most))) : most;
		const all = text ? wrapped : whole;
		return { need: all, least: text ? Math.min(all, narrowest) : all, priority: column.priority ?? 1 };
	}
}

/** figureRoom measures the figure with the most digits, the one of nines that may round to one more, and one that is too small for its unit. */
function figureRoom<T>(column: Column<T>, rows: readonly T[], measure: ColumnMeasure<T>): number {
	const longest: { row?: T; size: number }[] = [{ size: 0 }, { size: 0 }, { size: 0 }];
	let width = 0;
	for (const row of rows) {
		if (column.says) width = Math.max(width, room(column.says(row)));
		const text = String(column.value(row) ?? "");
		const point = text.indexOf(".");
		// All digits are equally wide, and wider than a sign.
		const size = 2 * ((point < 0 ? text.length : point) + measure.of(row).places) - (text.startsWith("-") ? 1 : 0);
		const small = column.kind === "figure" && tooSmall(column.value(row) as Exact | null, measure.of(row));
		const most = longest[small ? 2 : /^-?9+(?:\.|$)/.test(text) ? 1 : 0];
		if (most && text !== "" && size >= most.size) Object.assign(most, { row, size });
	}
	for (const { row } of longest)
		if (row !== undefined) width = Math.max(width, room(`${print(column, column.value(row), measure.of(row))})`));
	return width;
}

/** On a phone a time has two lines: its day, and its minute. */
function textRoom<T>(column: Column<T>, rows: readonly T[], measure: ColumnMeasure<T>, phone: boolean): number {
	let width = 0;
	for (const row of rows) {
		const text = column.says?.(row) ?? print(column, column.value(row), measure.of(row));
		if (phone && column.kind === "time") {
			width = Math.max(width, room(text.split(" ")[0] ?? ""));
			continue;
		}
		const code = column.code?.(row);
		width = Math.max(width, room(text) + (code ? gap + room(code) * headShare : 0));
	}
	return width;
}

/** A table is not wider than it reads well. */
const reads = 1090;
const loosest = 1.5;

/** The columns that are shown, by their numbers, the width of each, and the width of the table. */
export interface Fitted {
	shown: number[];
	widths: number[];
	width: number;
}

/**
 * fit chooses the columns that fit into a width. The least needed ones leave first, so that no figure and no name is cut.
 * Then names get narrower. Only a table whose figures still do not fit is wider than its place, and scrolls.
 */
export function fit(rooms: readonly Room[], place: number): Fitted {
	let shown = rooms.map((_, i) => i);
	const at = (i: number) => rooms[i] as Room;
	const sum = (of: "need" | "least") => shown.reduce((all, i) => all + at(i)[of], 0);
	while (sum("need") > place) {
		const leaves = shown.reduce((last, i) => (at(i).priority >= at(last).priority ? i : last), shown[0] ?? 0);
		if ((rooms[leaves]?.priority ?? 1) <= 1) break;
		shown = shown.filter((i) => i !== leaves);
	}
	const need = sum("need");
	const give = need - sum("least");
	const share = need > place && give > 0 ? Math.min((need - place) / give, 1) : 0;
	const widths = shown.map((i) => Math.floor(at(i).need - share * (at(i).need - at(i).least)));
	const taken = widths.reduce((all, width) => all + width, 0);
	return { shown, widths, width: Math.max(taken, Math.floor(Math.min(place, reads, taken * loosest))) };
}

/**
 * fitRows is fit for a table whose rows open. The first column always stays. It has the button, unless rows `lead`
 * elsewhere and no column is left out.
 */
export function fitRows(rooms: readonly Room[], place: number, lead: boolean): Fitted {
	const withButton = (button: number) =>
		rooms.map((room, i) => (i > 0 ? room : { need: room.need + button, least: room.least + button, priority: 1 }));
	const whole = lead ? fit(withButton(0), place) : undefined;
	return whole?.shown.length === rooms.length ? whole : fit(withButton(twist), place);
}
