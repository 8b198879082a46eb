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

/**
 * copied is a selection across cells as tab separated lines of raw values, as a spreadsheet
 * reads them; undefined where the selection is within one cell and is copied as it is.
 */
function copied(selection: Selection | null, table: HTMLTableElement): string | undefined {
	if (!selection || selection.isCollapsed) return undefined;
	const lines: string[] = [];
	let cells = 0;
	for (const row of table.rows) {
		const chosen = [...row.cells].filter((cell) => !cell.matches(aside) && selection.containsNode(cell, true));
		if (chosen.length === 0) continue;
		cells += chosen.length;
		lines.push(chosen.map(raw).join("\t"));
	}
	return cells > 1 ? lines.join("\n") : undefined;
}

/** copy gives the clipboard what is copied of a table; what is copied of anything else stays as it is. */
export function copy(event: ClipboardEvent) {
	const table = event.target instanceof Element && event.target.closest("table");
	const text = table && copied(getSelection(), table);
	if (!text) return;
	event.preventDefault();
	event.clipboardData?.setData("text/plain", text);
}
