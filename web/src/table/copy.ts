import { isolatedPart } from "../format/bidi";
import { whole } from "../format/format";

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

/** raw returns what a copied cell gives: the exact number if it shows one, else its text. A name keeps its code. */
export function raw(cell: Element): string {
	const exact = cell.querySelector("[data-raw]")?.getAttribute("data-raw");
	const code = cell.querySelector(".code")?.textContent ?? "";
	return plain(exact === undefined || exact === null ? (cell.textContent ?? "") : `${exact} ${code}`);
}

type Cell = HTMLTableCellElement;

/** Rows that belong to no column, and columns that are only drawn. */
const aside = ".detail, .room";
const drawn = ".drawn, .year";

/** slotsOf returns the cells of a table by row and column. A cell that spans several columns or rows stands in the first. */
function slotsOf(table: HTMLTableElement): (Cell | undefined)[][] {
	const rows = [...table.rows].filter((row) => !row.matches(aside));
	const slots: (Cell | undefined)[][] = rows.map(() => []);
	rows.forEach((row, r) => {
		const line = slots[r] ?? [];
		for (const cell of row.cells) {
			let start = 0;
			while (start in line) start++;
			for (const below of slots.slice(r, r + cell.rowSpan))
				for (let column = start; column < start + cell.colSpan; column++) below[column] = undefined;
			line[start] = cell;
		}
	});
	return slots;
}

/** selected returns the lines of a selection across cells, each value in its column; undefined within one cell. */
function selected(selection: Selection, table: HTMLTableElement): string[][] | undefined {
	const slots = slotsOf(table);
	const chosen = slots.map((row) => row.map((cell) => (cell && selection.containsNode(cell, true) ? cell : undefined)));
	const width = Math.max(...slots.map((row) => row.length));
	const columns = Array.from({ length: width }, (_, c) => c);
	const taken = columns.filter((c) => chosen.some((row) => row[c]));
	const shown = columns.filter(
		(c) => c >= (taken[0] ?? 0) && c <= (taken.at(-1) ?? 0) && !slots.some((row) => row[c]?.matches(`tbody ${drawn}`)),
	);
	const rows = chosen.filter((row) => row.some(Boolean));
	if (rows.flat().filter(Boolean).length < 2) return undefined;
	return rows.map((row) => shown.map((c) => (row[c] ? raw(row[c]) : "")));
}

function escaped(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** htmlOf returns lines as a table, for a letter or a slide. */
export function htmlOf(lines: readonly (readonly string[])[]): string {
	const row = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`;
	return `<table>${lines.map(row).join("")}</table>`;
}

/** put stores lines on the clipboard: for a spreadsheet, and as a table. */
function put(event: ClipboardEvent, lines: readonly (readonly string[])[]): void {
	event.preventDefault();
	event.clipboardData?.setData("text/plain", lines.map((line) => line.join("\t")).join("\n"));
	event.clipboardData?.setData("text/html", htmlOf(lines));
}

/** The lines of a whole list that are being copied. */
let entire: readonly (readonly string[])[] | undefined;

/** copyAll copies a whole list, its heads first. The event of the copy takes it to the clipboard, also over plain HTTP. */
export function copyAll(lines: readonly (readonly string[])[]): void {
	entire = lines;
	document.execCommand("copy");
	entire = undefined;
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
	return `${whole(rows.length)}${of} rows were copied, only those near the visible part. “Copy all” below the list takes every row.`;
}

/**
 * copy puts the copied part of a table on the clipboard: the focused cell, or the selection. Outside of tables the
 * browser copies. It returns a sentence about the rows that were left out; undefined if none were.
 */
export function copy(event: ClipboardEvent): string | undefined {
	if (entire) {
		put(event, entire);
		return `${whole(entire.length - 1)} rows were copied.`;
	}
	const selection = getSelection();
	const at = event.target instanceof Element ? event.target : null;
	if (!selection || selection.isCollapsed) {
		if (!at?.matches("tbody [data-column]")) return undefined;
		event.preventDefault();
		event.clipboardData?.setData("text/plain", raw(at));
		return undefined;
	}
	const table = at?.closest("table");
	const lines = table ? selected(selection, table) : undefined;
	if (lines) put(event, lines);
	return left(selection);
}
