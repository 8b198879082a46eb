import { draftOf, keepDraft } from "./draft";
import { ApiError, type Since } from "./error";

/** The fields of a record as a form holds them, by their names in the API. */
export type Values = Record<string, string | boolean>;

/** An act is one request to store something. Until it is answered, every attempt has the same key and body. */
export interface Act {
	key: string;
	/** The fields to set; of a record that exists, the values that were seen in `was`. */
	body: Values & { was?: Values };
}

interface Draft {
	values: Values;
	seen: Values;
	act?: Act | undefined;
}

/** A field that somebody else has changed since the reader saw it. */
export interface Conflict {
	field: string;
	mine: string | boolean;
	theirs: string | boolean;
}

/** The pauses before an act whose outcome is unknown is sent again, in milliseconds. */
const pauses = [500, 2000, 5000];

/**
 * Writing is one form for one record, from the first letter to the answer. What was typed is kept in a draft until it
 * is stored or discarded, so that a lost session or connection, or a reload, loses nothing.
 */
export class Writing<T> {
	values = $state<Values>({});
	#seen = $state.raw<Values>({});
	#busy = $state(false);
	#error = $state.raw<unknown>();
	#restored = $state(false);
	#act: Act | undefined;

	/**
	 * record names the draft, such as "departments/12". seen are the values that the reader begins with. exists tells a
	 * record to change from one to create. send makes one request of an act.
	 */
	constructor(
		readonly record: string,
		seen: Values,
		readonly exists: boolean,
		readonly send: (act: Act) => Promise<T>,
	) {
		const draft = draftOf<Draft>(record);
		this.#seen = draft?.seen ?? seen;
		this.values = { ...(draft?.values ?? seen) };
		this.#act = draft?.act;
		this.#restored = draft !== undefined;
	}

	get busy(): boolean {
		return this.#busy;
	}

	/** restored reports whether the values are those of a draft. */
	get restored(): boolean {
		return this.#restored;
	}

	/** error is why the last attempt failed, unless its fields or conflicts tell everything. */
	get error(): unknown {
		const { conflicts, errors } = this;
		return conflicts.length > 0 || Object.keys(errors).length > 0 ? undefined : this.#error;
	}

	/** changed are the values that differ from those that were seen. */
	get changed(): Values {
		return Object.fromEntries(Object.entries(this.values).filter(([field, value]) => value !== this.#seen[field]));
	}

	get isChanged(): boolean {
		return Object.keys(this.changed).length > 0;
	}

	/** errors says what is wrong with the fields of the form, by field. */
	get errors(): Record<string, string> {
		if (!(this.#error instanceof ApiError) || this.#error.code === "changed_since") return {};
		if (this.#error.code === "already_exists" && "code" in this.values) return { code: sentence(this.#error.message) };
		const here = this.#error.details.filter(({ field }) => field in this.values);
		if (here.length < this.#error.details.length) return {};
		return Object.fromEntries(here.map(({ field, message }) => [field, sentence(message)]));
	}

	/**
	 * conflicts are the fields of the reader's change that somebody has changed since. Where both chose the same, nothing
	 * is left to choose, unless that is all.
	 */
	get conflicts(): Conflict[] {
		const differ = this.#changed.filter(({ mine, theirs }) => mine !== theirs);
		return differ.length > 0 ? differ : this.#changed;
	}

	get #changed(): Conflict[] {
		if (!(this.#error instanceof ApiError) || this.#error.code !== "changed_since") return [];
		return this.#error.details.map(({ field, is = "" }) => ({ field, mine: this.values[field] ?? "", theirs: is }));
	}

	/** since is who made the conflicting change; undefined if the journal does not tell. */
	get since(): Since | undefined {
		const body = this.#error instanceof ApiError ? (this.#error.body as Partial<Since>) : undefined;
		return body?.seq === undefined ? undefined : (body as Since);
	}

	/** keep keeps what was typed. The form calls it after each change of the values. */
	keep(): void {
		const draft: Draft = { values: { ...this.values }, seen: this.#seen, act: this.#act };
		keepDraft(this.record, this.isChanged ? draft : undefined);
	}

	/** discard forgets what was typed, and returns the way back. */
	discard(): () => void {
		const draft = draftOf<Draft>(this.record);
		keepDraft(this.record, undefined);
		return () => keepDraft(this.record, draft);
	}

	/** keepMine makes the reader's values replace those of the others: the next attempt has seen them. */
	keepMine(): void {
		this.#seen = { ...this.#seen, ...this.#theirs() };
		this.#error = undefined;
		this.keep();
	}

	/** takeTheirs gives up the reader's values where somebody has changed the field. */
	takeTheirs(): void {
		const theirs = this.#theirs();
		this.#seen = { ...this.#seen, ...theirs };
		Object.assign(this.values, theirs);
		this.#error = undefined;
		this.keep();
	}

	#theirs(): Values {
		return Object.fromEntries(this.#changed.map(({ field, theirs }) => [field, theirs]));
	}

	/** save stores what was typed, and returns the answer; undefined if it is not stored. */
	async save(): Promise<T | undefined> {
		if (this.#busy) return undefined;
		this.#busy = true;
		this.#error = undefined;
		this.#act = this.#next();
		this.keep();
		try {
			const answer = await this.#sent(this.#act);
			keepDraft(this.record, undefined);
			return answer;
		} catch (reason) {
			this.#error = reason;
			if (answered(reason)) this.#act = undefined;
			this.keep();
			return undefined;
		} finally {
			this.#busy = false;
		}
	}

	/** next returns the act to send: the one that has no answer yet, unless the reader changed something since. */
	#next(): Act {
		// What is empty in a new record is left to its default, and missed by its name where it is required.
		const given = Object.entries(this.values).filter(([, value]) => value !== "");
		const fields: Values = this.exists ? this.changed : Object.fromEntries(given);
		const was = Object.fromEntries(Object.keys(fields).map((field) => [field, this.#seen[field] ?? ""]));
		const body = (this.exists ? { ...fields, was } : fields) as Act["body"];
		if (this.#act && JSON.stringify(this.#act.body) === JSON.stringify(body)) return this.#act;
		return { key: randomText(), body };
	}

	/** sent sends an act, and again while the server does not know whether it is stored. */
	async #sent(act: Act): Promise<T> {
		for (const pause of pauses) {
			try {
				return await this.send(act);
			} catch (reason) {
				if (!(reason instanceof ApiError) || reason.code !== "outcome_unknown") throw reason;
			}
			await new Promise((resume) => setTimeout(resume, pause));
		}
		return this.send(act);
	}
}

/** answered reports whether an error tells that nothing is stored, and nothing will be. */
function answered(reason: unknown): boolean {
	return reason instanceof ApiError && reason.status < 500;
}

/** randomText returns what no other act has as its key. */
export function randomText(): string {
	return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sentence(message: string): string {
	return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
