import { amount } from "../../format/amounts";
import type { Exact } from "../../format/decimal";
import { percent } from "../../format/format";
import { face, room } from "../../table/ruler.svelte";
import { fit, type Room } from "../../table/widths";
import type { Columns, Side } from "./statement";

/** The columns beside the names. */
export type Part = "budget" | "actual" | "variance" | "bar" | "percent" | "year";

/** What a table of variances shows. */
export interface Contents {
	/** The texts of the first column. */
	names: readonly string[];
	rows: readonly (readonly (Side | undefined)[])[];
	as: Columns;
	versions: number;
	percent: boolean;
	/** Whether the twelve periods of a year are drawn in each row. */
	year: boolean;
	/** Whether question marks stand in the head. */
	explain: boolean;
}

/** The parts that are shown, and the width of each of their columns, in pixels. */
export interface Layout {
	shown: ReadonlySet<Part>;
	widths: Partial<Record<Part, number>>;
	/** The width below which the table scrolls. */
	least: number;
}

const padding = 24;
const phonePadding = 16;
const widestName = 360;
const mark = 24;

/** layoutOf chooses the columns for a place of a width. Name, variance, bar and percentage always stay. */
export function layoutOf(contents: Contents, place: number, phone: boolean): Layout {
	face(); // measured again when another font arrives
	const { names, rows, as, versions } = contents;
	const space = phone ? phonePadding : padding;
	const sides = rows.flat();
	const widest = (title: string, texts: Iterable<string>) => {
		let width = room(title) + (contents.explain && !phone ? mark : 0);
		for (const text of texts) width = Math.max(width, room(text));
		return Math.ceil(width + space);
	};
	const column = (title: string, name: keyof Columns, of: (side: Side | undefined) => Exact | null | undefined) =>
		widest(
			title,
			sides.map((side) => `${amount(of(side), as[name])})`),
		);
	const figure = (need: number, priority = 1): Room => ({ need, least: need, priority });
	const name = Math.min(widest("Department", names), widestName);
	const rooms: [Part | "name", Room][] = [
		["name", { need: phone ? Math.min(name, 160) : name, least: 104, priority: 1 }],
		["budget", figure(versions * column("Budget", "budget", (side) => side?.budget), 5)],
		[
			"actual",
			figure(
				column("Actual", "actual", (side) => side?.actual),
				4,
			),
		],
		["variance", figure(versions * column("Variance", "variance", (side) => side?.variance_abs))],
	];
	if (contents.percent) {
		const texts = sides.map((side) => (side && Number(side.budget ?? 0) === 0 ? "no budget" : percentOf(side)));
		rooms.push(["percent", figure(versions * widest("%", texts), versions > 1 ? 3 : 1)]);
	}
	if (versions === 1) rooms.push(["bar", { need: phone ? 96 : 190, least: phone ? 40 : 96, priority: 1 }]);
	if (contents.year && versions === 1) rooms.push(["year", figure(124, 6)]);
	const fitted = fit(
		rooms.map(([, each]) => each),
		place,
	);
	const widths: Partial<Record<Part, number>> = {};
	fitted.shown.forEach((i, n) => {
		const part = rooms[i]?.[0];
		const each = part === "budget" || part === "variance" || part === "percent" ? versions : 1;
		if (part && part !== "name") widths[part] = (fitted.widths[n] ?? 0) / each;
	});
	return {
		shown: new Set(Object.keys(widths) as Part[]),
		widths,
		least: fitted.widths.reduce((all, width) => all + width, 0),
	};
}

function percentOf(side: Side | undefined): string {
	return side?.variance_pct === undefined ? "" : `${percent(side.variance_pct, { sign: false })})`;
}
