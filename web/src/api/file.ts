import { pathOf } from "./request";

/** A list or a report that the server gives as a file, with the filters and the order of the screen. */
export interface File {
	path: string;
	query?: Record<string, string | number | boolean | undefined>;
	/** Whether the file can have a column for each period. */
	wide?: boolean;
}

type Form = { format: "csv" | "xlsx" | "json" | "ndjson"; form?: "wide" };

/** formats returns the formats that the reader can choose from. */
export function formats(wide: boolean): readonly (Form & { title: string })[] {
	return [
		{ title: "CSV", format: "csv" },
		...(wide ? ([{ title: "CSV with a column for each period", format: "csv", form: "wide" }] as const) : []),
		{ title: "Excel", format: "xlsx" },
		{ title: "JSON", format: "json" },
		{ title: "JSON, one record a line", format: "ndjson" },
	];
}

/** Languages whose spreadsheet programs read CSV with semicolons and decimal commas. */
const commas = ["de", "fr", "sv"];

/**
 * fileOf returns the address of a file. A page of a list has a limit and a place, and a file has neither. CSV is written
 * for the spreadsheet program of the reader's language, and with a mark without which Excel shows other letters.
 */
export function fileOf(
	path: string,
	query: NonNullable<File["query"]>,
	{ format, form }: Form,
	language: string,
): string {
	const { limit: _, after: __, ...filters } = query;
	const csv = format !== "csv" ? {} : commas.includes(language) ? { locale: language } : { bom: "true" };
	const said = Object.entries(filters).map(([name, value]) => [name, value === undefined ? undefined : String(value)]);
	return pathOf(path, { ...Object.fromEntries(said), format, form, ...csv });
}
