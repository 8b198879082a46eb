/** What was typed and is not stored yet, by the record that it is for. It lasts as long as the tab, through a reload too. */
const prefix = "draft ";

/** draftOf returns the draft of a record, undefined without one. A browser may refuse to keep any. */
export function draftOf<T>(record: string): T | undefined {
	try {
		const text = sessionStorage.getItem(prefix + record);
		return text === null ? undefined : (JSON.parse(text) as T);
	} catch {
		return undefined;
	}
}

/** keepDraft keeps the draft of a record, or forgets it if there is none. */
export function keepDraft(record: string, draft: unknown): void {
	try {
		if (draft === undefined) sessionStorage.removeItem(prefix + record);
		else sessionStorage.setItem(prefix + record, JSON.stringify(draft));
	} catch {
		// It lasts as long as the form is open.
	}
}

/** forgetDrafts forgets all: who comes next does not see them. */
export function forgetDrafts(): void {
	try {
		for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
	} catch {
		// There are none.
	}
}
