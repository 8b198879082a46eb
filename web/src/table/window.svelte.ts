import { RowLayout } from "./table";

/** The number of rows in the document above and below the visible ones. */
const margin = 8;

interface Rows {
	count: number;
	/** The opened rows, and the height of each detail. */
	details: { index: number; height: number }[];
	/** Whether only rows near the visible ones are in the document. */
	virtual: boolean;
	/** How many rows are in the document otherwise. */
	most: number;
}

/** Window is the part of a table's rows that is in the document, in a frame that scrolls. */
export class Window {
	scroll = $state(0);
	/** The heights of the frame, of a row, and of the fixed head and foot together. */
	view = $state(600);
	line = $state(32);
	fixed = $state(0);

	readonly #rows: () => Rows;
	readonly #layout = $derived.by(() => {
		const { count, details } = this.#rows();
		return new RowLayout(count, this.line, details);
	});
	/** The height between the head and the foot. */
	readonly pane = $derived(Math.max(this.view - this.fixed, this.line));
	/** The rows from `first` to before `end`, and the space above and below them. */
	readonly part = $derived.by(() => {
		const { count, virtual, most } = this.#rows();
		if (!virtual) return { first: 0, end: Math.min(count, most), above: 0, below: 0 };
		return this.#layout.seen(this.scroll, this.pane, margin);
	});

	constructor(rows: () => Rows) {
		this.#rows = rows;
	}

	/** has reports whether a row is in the document. */
	has(row: number): boolean {
		return row >= this.part.first && row < this.part.end;
	}

	/** follow takes over the scroll position of the frame. */
	follow(frame: HTMLElement): void {
		this.scroll = this.#layout.step(frame.scrollTop);
	}

	/** reveal scrolls the frame just far enough to show a row. */
	reveal(row: number, frame: HTMLElement): void {
		this.view = frame.clientHeight; // an observer reports a new height only after the next layout
		frame.scrollTop = this.#layout.reveal(row, frame.scrollTop, this.pane);
		this.follow(frame);
	}

	/** measure reads the heights of rows, head and foot. */
	measure(table: HTMLTableElement): void {
		const first = table.tBodies[0]?.querySelector("tr[data-row]");
		if (first) this.line = first.getBoundingClientRect().height || this.line;
		this.fixed = (table.tHead?.offsetHeight ?? 0) + (table.tFoot?.offsetHeight ?? 0);
	}
}
