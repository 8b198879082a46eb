import { Decimal } from "../format/decimal";
import { figure } from "../format/format";

/** What an entry has of its record. */
interface Entry {
	before: Readonly<Record<string, unknown>> | null;
	after: Readonly<Record<string, unknown>> | null;
}

/** A field of a record that an entry gave another value. */
export interface Changed {
	field: string;
	was: string;
	is: string;
}

/** The fields that a history tells. */
const told = { amount: "Amount", currency: "Currency", source: "Source" };

/** changedBy returns what an entry changed in a record. */
export function changedBy({ before, after }: Entry): Changed[] {
	if (!before || !after) return [];
	return Object.entries(told)
		.map(([name, field]) => ({ field, was: print(before, name), is: print(after, name) }))
		.filter(({ was, is }) => was !== is);
}

/** amountOf returns the amount with which a record began or ended: "1,200.50 EUR", or "". */
export function amountOf({ before, after }: Entry): string {
	const record = before && after ? {} : (after ?? before ?? {});
	return [print(record, "amount"), print(record, "currency")].filter(Boolean).join(" ");
}

function print(record: Readonly<Record<string, unknown>>, field: string): string {
	const value = record[field];
	if (value === undefined || value === null) return "";
	const exact = field === "amount" ? Decimal.read(String(value)) : undefined;
	return exact ? figure(exact, { places: exact.places && Math.max(exact.places, 2), zeroDash: false }) : String(value);
}
