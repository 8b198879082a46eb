/** raw is what a copied cell gives: the exact number where it shows one, else its text. */
export function raw(cell: Element): string {
	const figure = cell.querySelector("[data-raw]");
	return figure?.getAttribute("data-raw") ?? cell.textContent?.trim() ?? "";
}

/** What lies in a table without being of its columns. */
const aside = ".opener, .detail > *, .room > *";

/**
 * copied is a selection across cells as tab separated lines of raw values, as a spreadsheet
 * reads them; undefined where the selection is within one cell and is copied as it is.
 */
export function copied(selection: Selection | null, table: HTMLTableElement): string | undefined {
	if (!selection || selection.isCollapsed) return undefined;
	const lines: string[] = [];
	let cells = 0;
	for (const row of table.rows) {
		const chosen = [...row.cells].filter((cell) => !cell.matches(aside) && selection.containsNode(cell, true));
		if (chosen.length === 0) continue;
		cells += chosen.length;
		lines.push(chosen.map((cell) => raw(cell).replace(/\s+/g, " ")).join("\t"));
	}
	return cells > 1 ? lines.join("\n") : undefined;
}
