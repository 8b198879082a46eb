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
	/** The heights of the frame, of a row, of the head and of the foot. */
	view = $state(600);
	line = $state(32);
	head = $state(0);
	foot = $state(0);

	readonly #rows: () => Rows;
	readonly #layout = $derived.by(() => {
		const { count, details } = this.#rows();
		return new RowLayout(count, this.line, details);
	});
	/** Whether the foot stays in view. One that takes more than a fourth of the frame follows the last row. */
	readonly footStays = $derived(this.foot * 4 <= this.view);
	/** The height between the head and a foot that stays. */
	readonly pane = $derived(Math.max(this.view - this.head - (this.footStays ? this.foot : 0), this.line));
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
		this.head = table.tHead?.offsetHeight ?? 0;
		this.foot = table.tFoot?.offsetHeight ?? 0;
	}
}
