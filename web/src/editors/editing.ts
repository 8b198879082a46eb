import type { Snippet } from "svelte";
import { ApiError } from "../api/error";
import type { Page } from "../api/pages.svelte";
import type { Act, Values, Writing } from "../api/writing.svelte";

/** What the address says of a record that is new. */
export const fresh = "new";

/** What a form needs to know of a kind of records. */
export interface Editing<T> {
	/** Such as "department". */
	kind: string;
	/** The id of the record, or `fresh`. */
	edit: string;
	/** send makes one request of an act. */
	send: (act: Act) => Promise<T>;
	/** What the fields are called, and how their values are read. */
	labels: Record<string, string>;
	print: (field: string, value: string | boolean) => string;
	/** How the stored record is called. */
	named: (record: T) => string;
	fields: Snippet<[Writing<T>]>;
	/** What a new record begins with, beside what every new one does. */
	begin?: Values | undefined;
	/** Called when it is stored. */
	stored?: ((record: T) => void) | undefined;
}

/** found returns the record of an id, which is the first after the one before it. Throws ApiError if there is none. */
export async function found<T extends { id: number }>(
	edit: string,
	kind: string,
	load: (query: { after: number; limit: number }) => Promise<Page<T, number>>,
): Promise<T> {
	const id = Number(edit);
	if (Number.isSafeInteger(id) && id > 0) {
		const [record] = (await load({ after: id - 1, limit: 1 })).items;
		if (record?.id === id) return record;
	}
	throw new ApiError(404, "not_found", `There is no ${kind} ${edit}.`);
}

/** picked returns the fields of a record that its form has. */
export function picked<T extends object>(record: T, labels: Record<string, string>): Values {
	return Object.fromEntries(Object.entries(record).filter(([field]) => field in labels)) as Values;
}
