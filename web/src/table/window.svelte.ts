import { Stack } from "./table";

/** How many rows more than are seen are drawn on either side. */
const margin = 8;

interface Rows {
	count: number;
	/** Those with something opened below, and how high that is. */
	details: { index: number; height: number }[];
	/** Whether only those in sight are drawn. */
	virtual: boolean;
	/** How many are drawn where not only those in sight are. */
	most: number;
}

/** A Window is the part of a table's rows that is drawn, in a frame that scrolls. */
export class Window {
	scroll = $state(0);
	/** The heights of the frame, of a row, and of the head and the foot together, which stay. */
	view = $state(600);
	line = $state(32);
	fixed = $state(0);

	readonly #rows: () => Rows;
	readonly #stack = $derived.by(() => {
		const { count, details } = this.#rows();
		return new Stack(count, this.line, details);
	});
	/** The height between the head and the foot. */
	readonly pane = $derived(Math.max(this.view - this.fixed, this.line));
	/** The rows from `first` to before `end`, and the room above and below them. */
	readonly part = $derived.by(() => {
		const { count, virtual, most } = this.#rows();
		if (!virtual) return { first: 0, end: Math.min(count, most), above: 0, below: 0 };
		return this.#stack.seen(this.scroll, this.pane, margin);
	});

	constructor(rows: () => Rows) {
		this.#rows = rows;
	}

	/** has is whether a row is drawn. */
	has(row: number): boolean {
		return row >= this.part.first && row < this.part.end;
	}

	/** follow takes over how far the frame was scrolled. */
	follow(frame: HTMLElement): void {
		this.scroll = this.#stack.step(frame.scrollTop);
	}

	/** reveal scrolls the frame no further than a row needs to be seen. */
	reveal(row: number, frame: HTMLElement): void {
		this.view = frame.clientHeight; // an observer tells of a new height only after the next layout
		frame.scrollTop = this.#stack.reveal(row, frame.scrollTop, this.pane);
		this.follow(frame);
	}

	/** measure learns the heights of what is drawn. */
	measure(table: HTMLTableElement): void {
		const first = table.tBodies[0]?.querySelector("tr[data-row]");
		if (first) this.line = first.getBoundingClientRect().height || this.line;
		this.fixed = (table.tHead?.offsetHeight ?? 0) + (table.tFoot?.offsetHeight ?? 0);
	}
}
