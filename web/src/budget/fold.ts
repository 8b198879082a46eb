import { Decimal, type Exact } from "../format/decimal";

/** Rows that are shown as one. */
export type Kind = "worse" | "level" | "better";

/** The rows of a table, the worst first: each by itself, or several that are folded into one. */
export type Folded<R> = { row: R } | { kind: Kind; rows: R[] };

/**
 * foldedRows sorts rows by variance, the worst first, and shows the `worst` and the `best` of them by themselves. It folds
 * those between into one row for each kind. A single row is not folded, and neither are few rows.
 */
export function foldedRows<R>(
	rows: readonly R[],
	varianceOf: (row: R) => Exact | null | undefined,
	{ worst, best }: { worst: number; best: number },
): Folded<R>[] {
	const few = rows.length <= worst + best + 1;
	const ranked = rows.map((row) => ({ row, variance: Decimal.of(varianceOf(row) ?? 0) }));
	ranked.sort((a, b) => a.variance.compare(b.variance));
	if (few) return ranked.map(({ row }) => ({ row }));
	const of = (sign: number) => ranked.filter(({ variance }) => variance.sign === sign).map(({ row }) => row);
	const [worse, level, better] = [of(-1), of(0), of(1)];
	const shown = (some: readonly R[]): Folded<R>[] => some.map((row) => ({ row }));
	const group = (kind: Kind, some: R[]): Folded<R>[] => (some.length > 1 ? [{ kind, rows: some }] : shown(some));
	const first = Math.max(better.length - best, 0);
	return [
		...shown(worse.slice(0, worst)),
		...group("worse", worse.slice(worst)),
		...group("level", level),
		...group("better", better.slice(0, first)),
		...shown(better.slice(first)),
	];
}

const words: Record<Kind, string> = { worse: "worse than", level: "on", better: "better than" };

/** foldTitle names folded rows: 25 others worse than budget. `all` says that there are no other rows of the kind. */
export function foldTitle({
	kind,
	count,
	all,
	planned,
}: {
	kind: Kind;
	count: string;
	all: boolean;
	planned: string;
}): string {
	return `${count} ${all ? "" : "others "}${words[kind]} ${planned}`;
}
