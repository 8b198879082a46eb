import { amount, type Measure } from "../format/amounts";
import { Decimal, type Exact } from "../format/decimal";
import { percent } from "../format/format";

/** A column of the table behind a chart: of names, of amounts that are printed alike, or of percentages. */
interface Head {
	title: string;
	as?: Measure | "percent" | undefined;
}

/** The data of a chart as a table. The first column names the rows. */
export interface Grid {
	head: Head[];
	rows: (string | Exact | null)[][];
}

/** said returns the cells of a row as they are printed, with the titles of their columns. */
export function said({ head, rows }: Grid, at: number): [title: string, text: string][] {
	return (rows[at] ?? []).map((value, column) => {
		const { title, as } = head[column] ?? { title: "" };
		if (as === undefined) return [title, String(value ?? "")];
		return [title, (as === "percent" ? percent(value) : amount(value, as)) || "–"];
	});
}

/**
 * readableLabels returns the bars whose labels do not overlap. Of several bars within `apart` on the same side of zero, the
 * longest keeps its label. The bar `first` always keeps its own.
 */
export function readableLabels(amounts: readonly (Exact | null)[], apart: number, first = -1): Set<number> {
	const bars = amounts.flatMap((amount, at) => (amount === null ? [] : [{ at, exact: Decimal.of(amount) }]));
	bars.sort(
		(a, b) => Number(b.at === first) - Number(a.at === first) || b.exact.absolute().compare(a.exact.absolute()),
	);
	const shown: typeof bars = [];
	for (const bar of bars) {
		const free = shown.every(
			({ at, exact }) => Math.abs(at - bar.at) >= apart || exact.sign < 0 !== bar.exact.sign < 0,
		);
		if (free) shown.push(bar);
	}
	return new Set(shown.map(({ at }) => at));
}
