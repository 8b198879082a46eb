import { Decimal, type Exact } from "../../format/decimal";
import { figure, minute, period } from "../../format/format";
import { figures } from "./figures";
import type { Kind } from "./kinds";
import type { Fields, ImportMap, Preview, Row } from "./preview";

/** A column of the records of a file. */
export interface Column {
	name: string;
	title: string;
	figure: boolean;
	print: (of: Fields) => string;
}

/** A record as it is stored, and as it will be. */
type Compared = Pick<Row, "before" | "after">;

/** columnsOf returns the columns in which some record has something. A year and a period are one column. */
export function columnsOf(kind: Kind, rows: readonly Compared[]): Column[] {
	const records = rows.flatMap(({ before, after }) => [before, after].filter((record) => record !== null));
	const has = (name: string) => records.some((record) => filled(record[name]));
	return kind.fields
		.filter(({ name, only }) => !only && has(name) && !(name === "fiscal_year" && has("fiscal_period")))
		.map(({ name, title }) => ({
			name,
			title: name === "fiscal_period" ? "Period" : title,
			figure: figures.includes(name),
			print: (record) => print(record, name),
		}));
}

function filled(value: Exact | boolean | undefined): boolean {
	return value !== undefined && value !== "";
}

function print(record: Fields, name: string): string {
	const value = record[name];
	if (!filled(value)) return "";
	if (typeof value === "boolean") return value ? "yes" : "no";
	if (name === "fiscal_period") return period(Number(record.fiscal_year), Number(value)) || String(value);
	if (name === "date") return minute(String(value));
	if (!figures.includes(name)) return String(value);
	const exact = Decimal.read(String(value));
	return exact ? figure(exact, { places: exact.places, zeroDash: false }) : String(value);
}

/** A cell, and what was there before it, if that differs. */
interface Cell {
	now: string;
	old: string | undefined;
}

/** cellOf returns a cell of a row: what will be stored, or what is removed. */
export function cellOf({ before, after }: Compared, { print }: Column): Cell {
	const old = before ? print(before) : undefined;
	if (!after) return { now: old ?? "", old: undefined };
	const now = print(after);
	return { now, old: old === undefined || old === now ? undefined : old };
}

const reasons: Record<string, [one: string, many: string]> = {
	above_header: ["row above the names of the columns", "rows above the names of the columns"],
	blank: ["blank row", "blank rows"],
	heading: ["heading", "headings"],
	no_amounts: ["row without amounts", "rows without amounts"],
	repeated_header: ["row that repeats the names of the columns", "rows that repeat the names of the columns"],
	by_the_map: ["row that the map skips", "rows that the map skips"],
	sum: ["row that is added to the same key", "rows that are added to the same key"],
	last: ["row that a later one of the same key replaces", "rows that later ones of the same key replace"],
	nothing_to_clear: ["row with nothing to remove", "rows with nothing to remove"],
};

/** skippedBy returns why rows are skipped, after their number. A map says what becomes of rows with one key. */
export function skippedBy(reason: string, count: number, { duplicates = "last" }: ImportMap): string {
	const [one, many] = reasons[reason === "same_key" ? duplicates : reason] ?? [reason, reason];
	return count === 1 ? one : many;
}

/** reasonOf returns why a row is skipped. */
export function reasonOf({ reason }: Row, map: ImportMap): string {
	const said = reason ? skippedBy(reason, 1, map) : "stored already";
	return said.charAt(0).toUpperCase() + said.slice(1);
}

/** addedOf returns how many rows were added to others of their key. They are counted with the skipped ones. */
export function addedOf({ map, skipped }: Preview): number {
	return map.duplicates === "sum" ? (skipped?.same_key ?? 0) : 0;
}
