import type { Snippet } from "svelte";
import { amount, type Measure } from "../format/amounts";
import { isolated, paired } from "../format/bidi";
import { Decimal, type Exact } from "../format/decimal";
import { day, figure, minute, percent, whole } from "../format/format";

/** An id has no separators. A date is a day, and a time a day and a minute, both in UTC. What is drawn is not copied. */
export type Kind = "text" | "drawn" | "figure" | "price" | "whole" | "percent" | "id" | "date" | "time";

export type Value = Exact | boolean | null | undefined;

/** A column prints `value` by its kind, which is text by default, or renders `cell`. */
export interface Column<T> {
	id: string;
	title: string;
	value: (row: T) => Value;
	kind?: Kind | undefined;
	/** The currency of a figure. */
	currency?: ((row: T) => string | null | undefined) | undefined;
	/** The most decimals of a price; all by default. The exact price is in the title, and is copied. */
	finest?: number | undefined;
	/** Gets the row, and how the column prints its amounts. */
	cell?: Snippet<[T, Measure]> | undefined;
	/** What `cell` shows, where it is not the printed value. The column is as wide as that. */
	says?: ((row: T) => string) | undefined;
	/** A code that follows a name. */
	code?: ((row: T) => string | undefined) | undefined;
	href?: ((row: T) => string | undefined) | undefined;
	sortable?: boolean | undefined;
	/** What the table sorts by; the value by default. */
	by?: ((row: T) => Value) | undefined;
	hint?: string | undefined;
	/** 1, the default, for a column that always stays. Where there is no room, the highest numbers leave first. */
	priority?: number | undefined;
	/** The most pixels of a text; 320 by default. */
	widest?: number | undefined;
	/** Whether a long text has several lines. In a list of which only a part is in the page it has one. */
	wraps?: boolean | undefined;
	/** Whether the column only labels a row, and is printed as quietly as a code. */
	quiet?: boolean | undefined;
}

/** The totals below a table: of one column, by label and currency. */
export interface Sums {
	column: string;
	items: readonly { label: string; amount: Exact | Decimal; currency: string }[];
}

/** numeric reports whether a column is aligned at its end. */
export function numeric(kind: Kind | undefined): boolean {
	return kind === "figure" || kind === "price" || kind === "whole" || kind === "percent" || kind === "id";
}

/** closed reports whether the text of a cell is a negative figure, which stands in parentheses. */
export function closed<T>(column: Column<T>, text: string): boolean {
	return numeric(column.kind) && text.endsWith(")");
}

/** print returns the text of a cell. */
export function print<T>(column: Column<T>, value: Value, measure: Measure): string {
	if (value === null || value === undefined) return "";
	if (typeof value === "boolean") return yesOrNo(value);
	switch (column.kind) {
		case "figure":
		case "price":
			return amount(value, measure);
		case "whole":
			return figure(value, { places: 0 });
		case "percent":
			return percent(value, { sign: column.title !== "%" });
		case "date":
			return day(String(value));
		case "time":
			return minute(String(value));
		default:
			return isolated(String(value));
	}
}

function yesOrNo(value: boolean): string {
	return value ? "yes" : "no";
}

/** copyOf returns what a copied cell gives: a figure with all digits and no separators, a time that spreadsheets read. */
export function copyOf<T>(column: Column<T>, value: Value): string {
	if (value === null || value === undefined) return "";
	const text = typeof value === "boolean" ? yesOrNo(value) : String(value);
	return column.kind === "time" ? text.replace("T", " ").replace(/Z$/, "") : paired(text);
}

/** sorted sorts rows by a column; `-id` means descending. Missing values come last, and equal rows keep their order. */
export function sorted<T>(rows: T[], columns: Column<T>[], sort: string): T[] {
	const down = sort.startsWith("-");
	const column = columns.find((each) => each.id === sort.replace(/^-/, ""));
	if (!column) return rows;
	const by = column.by ?? column.value;
	const values = rows.map((row) => by(row) ?? null);
	const compare = numeric(column.kind) ? byAmount(values) : byText(values);
	const order = [...rows.keys()].sort((a, b) => {
		const one = values[a] === null;
		const other = values[b] === null;
		if (one || other) return Number(one) - Number(other);
		return down ? compare(b, a) : compare(a, b);
	});
	return order.map((i) => rows[i] as T);
}

type Compare = (a: number, b: number) => number;

function byText(values: Value[]): Compare {
	const texts = values.map((value) => (typeof value === "boolean" ? (value ? "yes" : "no") : String(value)));
	const { compare } = new Intl.Collator(undefined, { numeric: true });
	return (a, b) => compare(texts[a] ?? "", texts[b] ?? "");
}

function byAmount(values: Value[]): Compare {
	const amounts = values.map((value) => (value === null ? Decimal.zero : Decimal.of(value as Exact)));
	const places = amounts.reduce((most, amount) => Math.max(most, amount.places), 0);
	const units = amounts.map((amount) => amount.rounded(places).units);
	return (a, b) => {
		const one = units[a] as bigint;
		const other = units[b] as bigint;
		return one < other ? -1 : one > other ? 1 : 0;
	};
}

/** A table with more rows than this has only its visible rows in the document. */
export const long = 200;

/** The most rows that are printed. More would keep the browser busy for minutes. */
export const printed = 1000;

/** printNote says which rows of a list are not printed; "" if all are. */
export function printNote(rows: number, complete: boolean): string {
	if (complete && rows <= printed) return "";
	const all = `${complete ? "" : "more than "}${whole(rows)}`;
	return `${whole(Math.min(rows, printed))} of ${all} rows. Filter the list to print the others.`;
}

/**
 * next returns the order after a click on a column's head: ascending, descending, then the rows' own order if they
 * have one.
 */
export function next(sort: string, id: string, ownOrder: boolean): string {
	if (sort === id) return `-${id}`;
	if (sort === `-${id}` && ownOrder) return "";
	return id;
}

/**
 * Browsers lay out no more pixels than this. In a taller table one pixel of the scroll bar stands for several pixels
 * of rows.
 */
const tallest = 15_000_000;

/** Rows of equal height. An opened row has a detail of its own height below it. */
export class RowLayout {
	readonly #details: { index: number; height: number }[];

	constructor(
		readonly count: number,
		readonly row: number,
		details: Iterable<{ index: number; height: number }> = [],
	) {
		this.#details = [...details].sort((a, b) => a.index - b.index);
	}

	/** top returns where a row begins. */
	top(index: number): number {
		let top = index * this.row;
		for (const detail of this.#details) if (detail.index < index) top += detail.height;
		return top;
	}

	get height(): number {
		return this.top(this.count);
	}

	/** at returns the row at a height. */
	at(height: number): number {
		let low = 0;
		let high = this.count - 1;
		while (low < high) {
			const middle = Math.ceil((low + high) / 2);
			if (this.top(middle) <= height) low = middle;
			else high = middle - 1;
		}
		return Math.max(low, 0);
	}

	/** scrolled is the height that the scroll bar covers. */
	get scrolled(): number {
		return Math.min(this.height, tallest);
	}

	/**
	 * step rounds a scroll position. The rows in the document change only every 4 rows, because the margin of 8 rows
	 * covers the positions between.
	 */
	step(scroll: number): number {
		return this.height > tallest ? scroll : scroll - (scroll % (4 * this.row));
	}

	#scale(view: number): number {
		return this.scrolled <= view ? 1 : (this.height - view) / (this.scrolled - view);
	}

	/** seen returns the visible rows, from `first` to before `end`, and the space above and below them. */
	seen(scroll: number, view: number, margin: number): { first: number; end: number; above: number; below: number } {
		const at = scroll * this.#scale(view);
		const first = Math.max(this.at(at) - margin, 0);
		const end = Math.min(this.at(at + view) + 1 + margin, this.count);
		const above = Math.max(this.top(first) - at + scroll, 0);
		return { first, end, above, below: Math.max(this.scrolled - above - (this.top(end) - this.top(first)), 0) };
	}

	/** reveal returns the nearest scroll position at which a row is fully visible. */
	reveal(index: number, scroll: number, view: number): number {
		const scale = this.#scale(view);
		const top = this.top(index);
		if (top < scroll * scale) return top / scale;
		if (top + this.row > scroll * scale + view) return (top + this.row - view) / scale;
		return scroll;
	}
}
