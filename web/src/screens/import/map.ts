import { type Finding, type ImportMap, labelOf, type MappedColumn, type Question, type Shown } from "./preview";

/** Where a map holds the answer of a question. The answer of `column` is a column or a constant. */
const places: Record<string, [group: "read" | "numbers" | "dates", name: string] | [name: string]> = {
	delimiter: ["read", "delimiter"],
	encoding: ["read", "encoding"],
	sheet: ["read", "sheet"],
	header_row: ["read", "header_row"],
	decimal_mark: ["numbers", "decimal"],
	round: ["numbers", "round"],
	suffix_m: ["numbers", "suffix_m"],
	dash: ["numbers", "dash"],
	scale: ["numbers", "scale"],
	date_order: ["dates", "order"],
	century: ["dates", "century"],
	year_starts: ["dates", "year_starts"],
	timezone: ["dates", "timezone"],
	other_mark: ["numbers", "other_mark"],
	sign_rule: ["sign_rule"],
	minor_unit: ["minor_unit"],
	row_order: ["row_order"],
	fill_down: ["fill_down"],
	duplicates: ["duplicates"],
	total: ["total"],
	empty: ["empty"],
	existing: ["existing"],
	match: ["match"],
	form: ["form"],
};

const counted = ["header_row", "scale", "century", "year_starts"];

/** ruled returns a map with another rule, such as the answer of a question; "" leaves the rule to the file. */
export function ruled(map: ImportMap, code: string, value: string): ImportMap {
	const place = places[code];
	if (!place) return map;
	const said = value === "" ? undefined : counted.includes(code) ? Number(value) : value;
	const [group, name] = place;
	const changed: ImportMap =
		name === undefined
			? { ...map, [group]: said }
			: { ...map, [group]: { ...(map[group as "read"] ?? {}), [name]: said } };
	// Another table has other columns, whose headers say what they are. An encoding only spells them otherwise.
	if ((group === "read" && code !== "encoding") || code === "form") changed.columns = [];
	if (code === "match") changed.columns = (map.columns ?? []).filter(({ field }) => field !== "id");
	return changed;
}

/** ruleOf returns a rule of a map as text, or "". */
export function ruleOf(map: ImportMap, code: string): string {
	const [group, name] = places[code] ?? [];
	const held = group && (map as unknown as Record<string, unknown>)[group];
	const value = name === undefined ? held : (held as Record<string, unknown> | undefined)?.[name];
	return value === undefined ? "" : String(value);
}

/** A field as a choice: a period has its number. */
export function choiceOf({ field, period }: { field?: string | undefined; period?: number | undefined }): string {
	return field === "period" ? `period ${period ?? 0}` : (field ?? "");
}

/** given returns a map in which a column has the field of a choice, and no other has it; "" takes the field away. */
export function given(map: ImportMap, column: Shown, choice: string): ImportMap {
	const [field = "", period] = choice.split(" ");
	const { [field]: _, ...set } = map.set ?? {};
	const taken: MappedColumn = {
		field,
		header: column.header,
		position: column.position,
		...(period && Number(period) > 0 ? { period: Number(period) } : {}),
	};
	const others = (map.columns ?? []).filter(
		(each) => each.position !== column.position && (choice === "" || choiceOf(each) !== choice),
	);
	return { ...map, set, columns: choice === "" ? others : [...others, taken].sort(byPosition) };
}

function byPosition(a: MappedColumn, b: MappedColumn): number {
	return (a.position ?? 0) - (b.position ?? 0);
}

/** byName returns a map whose column names records by their names, or by their codes. */
export function byName(map: ImportMap, field: string, by: "code" | "name"): ImportMap {
	return { ...map, columns: (map.columns ?? []).map((each) => (each.field === field ? { ...each, by } : each)) };
}

/** byOf returns whether a column names records by their names, or by their codes. */
export function byOf(map: ImportMap, field: string): "code" | "name" {
	return map.columns?.some((each) => each.field === field && each.by === "name") ? "name" : "code";
}

/** constant returns a map with one value of a field in every row; "" takes it away. */
export function constant(map: ImportMap, field: string, value: string): ImportMap {
	const { [field]: _, ...set } = map.set ?? {};
	const columns = value === "" ? map.columns : (map.columns ?? []).filter((each) => each.field !== field);
	return { ...map, columns: columns ?? [], set: value === "" ? set : { ...set, [field]: value } };
}

/**
 * translated returns a map in which cells stand for a value; null skips their rows. A column without a field that
 * names a total is read as a label for that.
 */
export function translated(
	map: ImportMap,
	columns: readonly Shown[],
	cells: readonly Finding[],
	value: string | null,
): ImportMap {
	const values = { ...map.values };
	const read = [...(map.columns ?? [])];
	for (const { field, value: cell, column: name } of cells) {
		if (!field || cell === undefined) continue;
		values[field] = { ...values[field], [cell]: value };
		const column = columns.find((each) => labelOf(each) === name);
		if (field === "label" && column && !read.some(({ position }) => position === column.position))
			read.push({ field, header: column.header, position: column.position });
	}
	return { ...map, columns: read.sort(byPosition), values };
}

/** accepted returns a map that takes doubts of a code for good, or no longer. */
export function accepted(map: ImportMap, code: string, good: boolean): ImportMap {
	const others = (map.accept ?? []).filter((each) => each !== code);
	return { ...map, accept: good ? [...others, code] : others };
}

/** columnFor returns the columns of the file that may have a field: those without one, or those that a question names. */
export function columnsFor(question: Question, columns: readonly Shown[]): Shown[] {
	const several = question.choices.map(({ value }) => value);
	const named = columns.filter(({ position }) => several.includes(String(position)));
	return several.length > 0 && named.length === several.length ? named : columns.filter(({ field }) => !field);
}
