import type { Choice } from "./constants";
import type { Group } from "./findings";
import type { Finding, Preview } from "./preview";

/** The records that each field may name. */
export type Known = Readonly<Record<string, readonly Choice[]>>;

/** folded writes a name without the spaces and the case in which the server sees no difference. */
function folded(text: string): string {
	return text.trim().replace(/\s+/g, " ").toLowerCase();
}

const bare = (code: string) => folded(code).replace(/^0+/, "");

/** namedBy returns the records of a name. */
function namedBy(value: string, known: readonly Choice[]): Choice[] {
	const name = folded(value);
	return name === "" ? [] : known.filter((choice) => choice.name !== undefined && folded(choice.name) === name);
}

/** meantBy returns the one record that a cell seems to mean: its code without the zeros that a file lost, or its name. */
export function meantBy({ code, field, value }: Group, known: Known): Choice | undefined {
	if (code !== "unknown_reference") return undefined;
	const records = (known[field] ?? []).filter(({ name }) => name !== undefined);
	const found = [
		/^0*$/.test(value.trim()) ? [] : records.filter((choice) => bare(choice.value) === bare(value)),
		namedBy(value, records),
	];
	return found.map((list) => (list.length === 1 ? list[0] : undefined)).find((choice) => choice !== undefined);
}

const isReference = ({ code }: Finding) => code === "unknown_reference" || code === "ambiguous_reference";

/**
 * fieldsByName returns the fields whose columns seem to have names in the place of codes: no row has a code that is
 * known, and most of the values are names.
 */
export function fieldsByName({ counts, findings }: Preview, groups: readonly Group[], known: Known): string[] {
	if (counts.new + counts.changed + counts.unchanged + counts.cleared + counts.already > 0) return [];
	const wrong = findings.filter(({ severity }) => severity === "wrong");
	const totals = new Set(wrong.filter(({ code }) => code === "looks_like_total").map(({ line }) => line));
	const lines = new Set(wrong.map(({ line }) => line).filter((line) => !totals.has(line)));
	const fields = [...new Set(groups.map(({ field }) => field))];
	return fields.filter((field) => {
		const values = groups.filter((group) => group.field === field && group.code === "unknown_reference");
		const names = values.filter(({ value }) => namedBy(value, known[field] ?? []).length > 0);
		const unknown = new Set(wrong.filter((each) => each.field === field && isReference(each)).map(({ line }) => line));
		return names.length * 2 > values.length && [...lines].every((line) => unknown.has(line));
	});
}
