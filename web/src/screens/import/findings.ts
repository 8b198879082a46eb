import { compoundKey } from "../../address/compoundKey";
import type { Exact } from "../../format/decimal";
import { figures, numberAs } from "./figures";
import type { Finding } from "./preview";

/** Findings that say the same of the same value. */
export interface Group {
	key: string;
	code: string;
	severity: Finding["severity"];
	column: string;
	field: string;
	value: string;
	message: string;
	reads: Exact | undefined;
	accepted: boolean;
	cells: readonly Finding[];
}

/** grouped returns findings of one severity; those that say the same of the same value are one. */
export function grouped(findings: readonly Finding[], severity: Finding["severity"]): Group[] {
	const groups = new Map<string, Group & { cells: Finding[] }>();
	for (const finding of findings) {
		if (finding.severity !== severity) continue;
		const { code, column = "", field = "", value = "", message, reads_as, accepted = false } = finding;
		const reads = reads_as as Exact | undefined;
		const key = compoundKey([code, column, value, message]);
		const group = groups.get(key);
		if (group) group.cells.push(finding);
		else groups.set(key, { key, code, severity, column, field, value, message, reads, accepted, cells: [finding] });
	}
	return [...groups.values()];
}

/** readingOf returns how the cells of a group read. */
export function readingOf({ field, reads = "" }: Group): string {
	return figures.includes(field) ? numberAs(reads) : String(reads);
}

/** The most lines that a row of the table names. */
const most = 3;

/** linesOf names the lines of a group: "16, 40, 41 and 5 more". */
export function linesOf({ cells }: Group): string {
	const lines = [...new Set(cells.map(({ line }) => line))];
	const more = lines.length - most;
	return `${lines.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Findings that a word in the map mends: the cell stands for something that is known, or its row is skipped. */
const mendableCodes = ["unknown_reference", "ambiguous_reference", "looks_like_total", "unknown_word", "mangled_code"];

/** mendable reports whether the reader can say what the cells of a group stand for. */
export function mendable({ code, field, value }: Group): boolean {
	return mendableCodes.includes(code) && field !== "" && value !== "";
}

/** addable reports whether a group names a record that a form of the page can add. */
export function addable({ code, field }: Group): boolean {
	return code === "unknown_reference" && (field === "department" || field === "gl_code");
}

/** A rule of the map that settles all findings of a code at once. */
export interface Remedy {
	code: string;
	title: string;
	rule: string;
	value: string;
}

/** remedyOf returns what settles all findings of a code; undefined if each is a case of its own. */
export function remedyOf({ code, field, value }: Group): Remedy | undefined {
	switch (code) {
		case "other_mark":
			return {
				code,
				title: `Read the other mark as a decimal mark, as in ${value}`,
				rule: "other_mark",
				value: "decimal",
			};
		case "total_differs":
			return { code, title: "Do not compare totals", rule: "total", value: "ignore" };
		case "exists":
			return { code, title: "Skip what is stored already", rule: "existing", value: "skip" };
		case "duplicate_in_file":
			if (field === "id") return undefined; // no rule says which of them counts
			return { code, title: "Take the last of rows with the same key", rule: "duplicates", value: "last" };
		default:
			return undefined;
	}
}

/** reasonOf returns why a group is wrong or doubtful, in the words of the page, without what a program would do about it. */
export function reasonOf({ code, field, message }: Group, title: string): string {
	if (code === "looks_like_total") return "The row looks like a total.";
	const said = mendableCodes.includes(code) ? shortened(message) : message;
	return field ? said.replace(`The field ${field}`, title).replace(`the field ${field}`, title.toLowerCase()) : said;
}

/** shortened is what is wrong about a name, and what the file may have lost. */
function shortened(message: string): string {
	const [what = message] = /^.*?[.](?= |$)/s.exec(message) ?? [];
	const [hint = ""] = / There is "[^"]*": the file may have lost the zeros[.]$/.exec(message) ?? [];
	return what + hint;
}
