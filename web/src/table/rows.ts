/**
 * follow goes where a row leads, when the row is clicked beside its links; with a control key in a window of its own. The
 * end of a selection is no click.
 */
export function follow(event: MouseEvent, href: string | undefined): void {
	const beside = !(event.target as Element).closest("a, button, input, select");
	if (!href || !beside || getSelection()?.isCollapsed === false) return;
	if (event.ctrlKey || event.metaKey) window.open(href, "_blank", "noopener");
	else location.assign(href);
}

/** cellsOf returns what the arrows reach in a row: its link, and each of its figures. */
function cellsOf(row: Element | undefined): HTMLElement[] {
	return [...(row?.querySelectorAll<HTMLElement>("th :is(a, button), [data-column]") ?? [])];
}

/** arrows moves the focus in a table whose rows have one tab stop each: a link in their head. */
export function arrows(event: KeyboardEvent): void {
	if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
	const target = event.target as HTMLElement;
	const row = target.closest("tbody tr");
	const at = row ? cellsOf(row).indexOf(target) : -1;
	if (!row || at < 0) return;
	const rows = [...(row.closest("table")?.querySelectorAll("tbody tr") ?? [])].filter(
		(each) => cellsOf(each).length > 0,
	);
	const nth = rows.indexOf(row);
	const cells = cellsOf(row);
	const to: Record<string, HTMLElement | undefined> = {
		ArrowDown: cellsOf(rows[nth + 1])[at],
		ArrowUp: cellsOf(rows[nth - 1])[at],
		ArrowRight: cells[at + 1],
		ArrowLeft: cells[at - 1],
		Home: cells[0],
		End: cells.at(-1),
	};
	if (!(event.key in to)) return;
	event.preventDefault();
	to[event.key]?.focus();
}
