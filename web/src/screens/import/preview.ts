import type { components } from "../../api/schema";
import type { Exact } from "../../format/decimal";

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

/** wrongRows returns how many rows are wrong. In the wide form a row has several records. */
export function wrongRows({ counts, findings, findings_total }: Preview): number {
	if (findings.length < findings_total) return counts.wrong;
	return new Set(findings.filter(({ severity }) => severity === "wrong").map(({ line }) => line)).size || counts.wrong;
}
