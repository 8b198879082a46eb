import type { components } from "../../api/schema";
import type { Exact } from "../../format/decimal";
import type { Kind } from "./kinds";

type Schemas = components["schemas"];

/** What a file would do, and when it is `committed`, what it has done. */
export type Preview = Omit<Schemas["Import"], "sample">;
/** What is stored of a file. */
export type Stored = Schemas["ImportDone"];
/** A record that somebody changed after the file was read. */
export type Conflict = Omit<Schemas["ImportConflict"], "seen" | "is"> & { seen: Fields | null; is: Fields | null };
export type ImportMap = Schemas["ImportMap"];
export type MappedColumn = Schemas["ImportColumn"];
export type Shown = Schemas["ImportFileColumn"];
export type Question = Schemas["ImportQuestion"];
export type Finding = Schemas["ImportFinding"];
export type Counts = Schemas["ImportCounts"];
/** A cell of a file. */
export type Place = Schemas["ImportCell"];

/** A record in the columns of an export. */
export type Fields = Record<string, Exact | boolean>;

/** A row of the file with its result, and why it is skipped or wrong. */
export type Row = Omit<Schemas["ImportRow"], "before" | "after"> & { before: Fields | null; after: Fields | null };

/** stored returns how many records a commit would write. */
export function stored({ counts }: Preview): number {
	return counts.new + counts.changed + counts.cleared;
}

/** rowsIn returns how many rows a file has below the names of its columns. */
export function rowsIn({ file, map }: Preview): number {
	return Math.max(0, file.rows - (map.read?.header_row ? 1 : 0));
}

/** manyRecords reports whether a row has several records: one for each period. */
export function manyRecords({ map }: Preview): boolean {
	return map.form === "wide";
}

/** wrongOf says what is wrong: "2 rows". */
export function wrongOf(preview: Preview, kind: Kind): Some {
	const found = preview.findings.filter(({ severity }) => severity === "wrong");
	return someOf(preview, kind, { found, records: preview.counts.wrong });
}

/** doubtsOf says what is doubtful and not accepted. */
export function doubtsOf(preview: Preview, kind: Kind): Some {
	const found = preview.findings.filter(({ severity, accepted }) => severity === "doubtful" && !accepted);
	return someOf(preview, kind, { found, records: preview.doubts });
}

/** What has findings is counted in rows. Where a row has several records and not all findings are known, records are counted. */
function someOf(
	preview: Preview,
	kind: Kind,
	{ found, records }: { found: readonly Finding[]; records: number },
): Some {
	if (!manyRecords(preview)) return some(records, "row", "rows");
	const rows = new Set(found.map(({ line }) => line)).size;
	const all = preview.findings.length === preview.findings_total && records > 0;
	return all ? some(rows, "row", "rows") : some(records, kind.one, kind.many);
}

/** A number of things, and what they are. */
export interface Some {
	count: number;
	noun: string;
}

function some(count: number, one: string, many: string): Some {
	return { count, noun: count === 1 ? one : many };
}

/** labelOf returns how a finding names a column. */
export function labelOf({ header, position }: Shown): string {
	return header || `column ${position}`;
}
