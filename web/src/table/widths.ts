import { type Column, figureWidth, type Kind } from "./table";

/** ofKind returns the width of a column without one of its own. Text columns share the rest. */
export function ofKind(kind: Kind | undefined): string | undefined {
	return kind === "date" ? "9em" : kind === "instant" ? "16em" : undefined;
}

/** least returns the width below which a table scrolls sideways. It leaves some room for texts. */
export function least(widths: readonly (string | undefined)[]): string {
	return `calc(32px + ${widths.map((width) => width ?? "9em").join(" + ")})`;
}

/** Widths keeps the column widths of a long table, which must not change while it scrolls. */
export class Widths<T> {
	/** The measured part of each column; new rows mostly come at the end. */
	readonly #measured = new Map<string, { first: T | undefined; rows: number; room: number | undefined }>();

	/** of returns the CSS width of a column: its own width, and at least room for its longest figure. */
	of(column: Column<T>, rows: T[]): string | undefined {
		const characters = this.#figureWidth(column, rows);
		return characters ? `max(${column.width ?? "6em"}, ${characters}ch + 16px)` : (column.width ?? ofKind(column.kind));
	}

	#figureWidth(column: Column<T>, rows: T[]): number | undefined {
		const before = this.#measured.get(column.id);
		const known = before && before.first === rows[0] && before.rows <= rows.length ? before : undefined;
		const more = figureWidth(column, known ? rows.slice(known.rows) : rows);
		const widest = more === undefined ? undefined : Math.max(more, known?.room ?? 0);
		this.#measured.set(column.id, { first: rows[0], rows: rows.length, room: widest });
		return widest;
	}
}
