/** A cell, by its row and column number. */
export interface Cell {
	row: number;
	column: number;
}

/** The part of a KeyboardEvent that moves the focus. */
export interface Press {
	key: string;
	ctrlKey: boolean;
	metaKey: boolean;
	altKey: boolean;
	shiftKey: boolean;
}

interface Grid {
	rows: number;
	columns: number;
	/** How many rows a page has. */
	page: number;
}

/** moved returns the cell to which a key moves the focus, within the grid; undefined if the key does not move it. */
export function moved(press: Press, from: Cell, grid: Grid): Cell | undefined {
	if (press.altKey || press.shiftKey) return undefined;
	const { row, column } = from;
	const far = press.ctrlKey || press.metaKey;
	const moves: Record<string, [number, number]> = {
		ArrowDown: [row + 1, column],
		ArrowUp: [row - 1, column],
		ArrowRight: [row, column + 1],
		ArrowLeft: [row, column - 1],
		PageDown: [row + grid.page, column],
		PageUp: [row - grid.page, column],
		Home: [far ? 0 : row, far ? column : 0],
		End: [far ? grid.rows - 1 : row, far ? column : grid.columns - 1],
	};
	const to = moves[press.key];
	return to && { row: within(to[0], grid.rows), column: within(to[1], grid.columns) };
}

function within(n: number, count: number): number {
	return Math.min(Math.max(n, 0), count - 1);
}
