import { isolatedPart } from "../format/bidi";
import { whole } from "../format/format";
import { long } from "./table";

/** A spreadsheet shows a number as it is, even with a minus sign at its beginning. */
const figure = /^-?\d+(\.\d+)?$/;

/** A spreadsheet may run such a text as a formula, also with wide signs or after a quotation mark. */
const formula = /^["=+\-@＝＋－＠]/;

/**
 * plain returns a text on one line that a spreadsheet does not run. An apostrophe marks a possible formula as text. The
 * isolation that the page puts around a text for display is left out.
 */
export function plain(text: string): string {
	const line = isolatedPart(text.trim()).replace(/\s+/g, " ").trim();
	return formula.test(line) && !figure.test(line) ? `'${line}` : line;
}

/** raw returns what a copied cell gives: the exact number if it shows one, else its text. */
export function raw(cell: Element): string {
	const figure = cell.querySelector("[data-raw]");
	return plain(figure?.getAttribute("data-raw") ?? cell.textContent ?? "");
}

/** Cells of a table that belong to no column. */
const aside = ".opener, .detail > *, .room > *";

/** columns returns the text of a cell, and an empty text for each further column that it spans. */
function columns(cell: HTMLTableCellElement, table: HTMLTableElement): string {
	const row = cell.closest("tr");
	// In a row without an opener, the first cell spans the column of the openers too.
	const opener = cell.cellIndex === 0 && table.tHead?.querySelector(".opener") && !row?.querySelector(".opener");
	return raw(cell) + "\t".repeat(cell.colSpan - (opener ? 2 : 1));
}

/**
 * copied returns a selection across cells as tab-separated lines of raw values, for a spreadsheet. A selection within
 * one cell is undefined: the browser copies it as it is.
 */
function copied(selection: Selection, table: HTMLTableElement): string | undefined {
	const lines: string[] = [];
	let cells = 0;
	for (const row of table.rows) {
		const chosen = [...row.cells].filter((cell) => !cell.matches(aside) && selection.containsNode(cell, true));
		if (chosen.length === 0) continue;
		cells += chosen.length;
		lines.push(chosen.map((cell) => columns(cell, table)).join("\t"));
	}
	return cells > 1 ? lines.join("\n") : undefined;
}

/**
 * Whether a selection includes rows that are not in the document. When the row at its end is removed, a selection
 * ends between rows.
 */
function cut(selection: Selection, table: HTMLTableElement): boolean {
	const between = (node: Node | null) => node instanceof HTMLTableSectionElement && table.contains(node);
	const rooms = [...table.querySelectorAll(".room")];
	return (
		between(selection.anchorNode) ||
		between(selection.focusNode) ||
		rooms.some((room) => selection.containsNode(room, true))
	);
}

/** left says how many rows were copied if a selection in a long table includes rows that are not in the document. */
function left(selection: Selection): string | undefined {
	const table = [...document.querySelectorAll<HTMLTableElement>("main table.virtual")].find((each) =>
		selection.containsNode(each, true),
	);
	if (!table || !cut(selection, table)) return undefined;
	const rows = [...table.querySelectorAll("tbody tr[data-row]")].filter((row) => selection.containsNode(row, true));
	const all = Number(table.getAttribute("aria-rowcount")) - 1;
	const of = all > 0 ? ` of ${whole(all)}` : "";
	return `${whole(rows.length)}${of} rows were copied, only those near the visible part. Filter the list to ${long} rows or fewer to copy all of it.`;
}

/**
 * copy puts the copied part of a table on the clipboard: the focused cell, or the selection. Outside of tables the
 * browser copies. It returns a sentence about the rows that were left out; undefined if none were.
 */
export function copy(event: ClipboardEvent): string | undefined {
	const selection = getSelection();
	const at = event.target instanceof Element ? event.target : null;
	const table = at?.closest("table");
	let text: string | undefined;
	if (!selection || selection.isCollapsed) text = at?.matches("tbody [data-column]") ? raw(at) : undefined;
	else if (table) text = copied(selection, table);
	if (text !== undefined) {
		event.preventDefault();
		event.clipboardData?.setData("text/plain", text);
	}
	return selection?.isCollapsed === false ? left(selection) : undefined;
}
