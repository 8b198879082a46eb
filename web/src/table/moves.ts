/** A cell by the number of its row and of its column. */
export interface Cell {
	row: number;
	column: number;
}

/** What a move is asked for by, of a KeyboardEvent. */
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
	/** How many rows a page is. */
	page: number;
}

/** moved is the cell that a key leads to from another, within the grid; undefined where the key is none that moves. */
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
