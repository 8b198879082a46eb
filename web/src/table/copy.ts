import { whole } from "../format/format";
import { long } from "./table";

/** What a spreadsheet shows as it is: a number that begins like a formula is none. */
const figure = /^-?\d+(\.\d+)?$/;

/** What a spreadsheet may run as a formula, the wide signs and a quotation mark before it included. */
const formula = /^["=+\-@＝＋－＠]/;

/** plain is a text on one line that a spreadsheet does not run: an apostrophe makes what could be a formula a text. */
export function plain(text: string): string {
	const line = text.replace(/\s+/g, " ").trim();
	return formula.test(line) && !figure.test(line) ? `'${line}` : line;
}

/** raw is what a copied cell gives: the exact number where it shows one, else its text. */
export function raw(cell: Element): string {
	const figure = cell.querySelector("[data-raw]");
	return plain(figure?.getAttribute("data-raw") ?? cell.textContent ?? "");
}

/** What lies in a table without being of its columns. */
const aside = ".opener, .detail > *, .room > *";

/** columns is the text of a cell, and an empty one for each further column that it takes. */
function columns(cell: HTMLTableCellElement, table: HTMLTableElement): string {
	const row = cell.closest("tr");
	// In a row without a button that opens it, the first cell takes the column of those buttons too.
	const opener = cell.cellIndex === 0 && table.tHead?.querySelector(".opener") && !row?.querySelector(".opener");
	return raw(cell) + "\t".repeat(cell.colSpan - (opener ? 2 : 1));
}

/**
 * copied is a selection across cells as tab separated lines of raw values, as a spreadsheet
 * reads them; undefined where the selection is within one cell and is copied as it is.
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

/** Whether a selection reaches over rows of a table that are not drawn. Where a row goes in which it ended, it ends between rows. */
function cut(selection: Selection, table: HTMLTableElement): boolean {
	const between = (node: Node | null) => node instanceof HTMLTableSectionElement && table.contains(node);
	const rooms = [...table.querySelectorAll(".room")];
	return (
		between(selection.anchorNode) ||
		between(selection.focusNode) ||
		rooms.some((room) => selection.containsNode(room, true))
	);
}

/** left says how many rows of the long tables that are selected were copied, where others were selected as well. */
function left(selection: Selection): string | undefined {
	const table = [...document.querySelectorAll<HTMLTableElement>("main table.virtual")].find((each) =>
		selection.containsNode(each, true),
	);
	if (!table || !cut(selection, table)) return undefined;
	const rows = [...table.querySelectorAll("tbody tr[data-row]")].filter((row) => selection.containsNode(row, true));
	const all = Number(table.getAttribute("aria-rowcount")) - 1;
	const of = all > 0 ? ` of ${whole(all)}` : "";
	return `${whole(rows.length)}${of} rows were copied: those near what you see. Narrow the list to ${long} rows or fewer to copy all of it.`;
}

/**
 * copy gives the clipboard what is copied of a table: the cell that the keys are at, or what is selected of it. What
 * is copied of anything else stays as it is. It returns what was left out, in words; undefined where nothing was.
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
