import { untrack } from "svelte";
import { Refused } from "./error";
import { events } from "./events.svelte";
import { awaited } from "./pending.svelte";

/** Where a page of a list that has several orders ends: an id, or a text of the server. */
export type After = number | string;

/** A page of a list; `next` is where the next one begins, null on the last. */
export interface Page<T, Key> {
	items: T[];
	next: Key | null;
}

/** What was read of a list that may be long. */
export interface Pages<T> {
	readonly rows: T[];
	/** Whether the first page was read. */
	readonly begun: boolean;
	/** How often the list began anew: asked for otherwise or again, not kept as new as the server says. */
	readonly beginnings: number;
	/** Whether these are all rows that there are. */
	readonly complete: boolean;
	/** Whether the list changed, and too much of it was read to read that anew unasked. */
	readonly outdated: boolean;
	/** Why the newest page could not be read; undefined where it could. */
	readonly error: unknown;
	/** more asks for the page that follows. */
	more(): void;
	/** again reads from the beginning. */
	again(): void;
	/** retry asks again for the page that could not be read. */
	retry(): void;
}

/**
 * pages reads a list page by page: the first at once, and anew when something changes that `load`
 * reads before it first awaits (the address); those that follow when asked, and unasked until there
 * are `eager` rows. When one of the entities of the journal changes, what was read is read anew if it
 * is one page or not more than `eager` rows; the rows stay until then, of another question too: `awaited`
 * says so. Where the server refuses the place where the next page begins, since an older one gave it, the
 * list begins anew. A record that moved while the list was read, and comes again on a later page, stands
 * only there: no two rows have the same key. It is called where a component begins, and lives as long as that.
 */
export function pages<T, Key>(
	load: (after: Key | undefined, signal: AbortSignal) => Promise<Page<T, Key>>,
	key: (item: T) => string | number,
	entities: readonly string[],
	eager = 0,
): Pages<T> {
	let rows = $state.raw<T[]>([]);
	let next = $state.raw<Key | null | undefined>();
	let beginnings = $state(0);
	let outdated = $state(false);
	let error = $state.raw<unknown>();
	let request = new AbortController();
	let loading = false;
	let stale = false;
	let failed: Key | undefined;
	let sought = false; // the list began anew where the next page was lost, and no page that follows was read since
	let pagesRead = 0;
	/** Ends what is told of rows that answer another question than is asked; undefined where they answer that. */
	let answered: (() => void) | undefined;

	/** Reads from `after` on, until there are `least` rows or no more. */
	async function extend(before: T[], after: Key | undefined, least: number): Promise<void> {
		const { signal } = request;
		loading = true;
		try {
			let page = await load(after, signal);
			let all = followed(before, page.items);
			while (!signal.aborted && page.next !== null && all.length < least) {
				page = await load(page.next, signal);
				all = followed(all, page.items);
			}
			if (signal.aborted) return;
			rows = all;
			next = page.next;
			error = undefined;
			pagesRead++;
			if (after !== undefined) sought = false;
			if (after === undefined && least === 0) beginnings++;
		} catch (reason) {
			if (signal.aborted) return;
			failed = lost(reason) ? undefined : after;
			if (lost(reason) && !sought) {
				begin(0, true);
				return;
			}
			error = reason;
			if (after === undefined && least === 0) {
				rows = [];
				next = undefined;
			}
		}
		settle();
		loading = false;
		if (stale) change();
		else if (!error && rows.length < eager) more();
	}

	/** followed is what was read with a page after it, less what that page has anew. */
	function followed(before: T[], items: T[]): T[] {
		const newer = new Set(items.map(key));
		const kept = before.some((item) => newer.has(key(item))) ? before.filter((item) => !newer.has(key(item))) : before;
		return kept.concat(items);
	}

	function more(): void {
		if (loading || next === null || next === undefined || (error && failed === undefined)) return;
		void extend(rows, next, 0);
	}

	/** Reads the list from its beginning. */
	function begin(least: number, seeking = false): void {
		request.abort();
		request = new AbortController();
		stale = false;
		outdated = false;
		pagesRead = 0;
		sought = seeking;
		void extend([], undefined, least);
	}

	function again(): void {
		untrack(() => begin(0));
	}

	function settle(): void {
		answered?.();
		answered = undefined;
	}

	/** Whether no page follows, because nobody knows where it would begin. */
	function lost(reason: unknown): boolean {
		return reason instanceof Refused && reason.details.some(({ field }) => field === "after");
	}

	function change(): void {
		stale = loading;
		if (loading) return;
		if (pagesRead > 1 && rows.length > eager) {
			outdated = true;
			return;
		}
		untrack(() => begin(rows.length));
	}

	// Before what shows it is built, as in live.
	$effect.pre(() => {
		untrack(() => {
			if (next !== undefined) answered ??= awaited.begin();
			error = undefined;
		});
		begin(0);
		return () => request.abort();
	});
	$effect(() => settle);
	$effect(() => events.listen(entities, change));

	return {
		get rows() {
			return rows;
		},
		get begun() {
			return next !== undefined;
		},
		get beginnings() {
			return beginnings;
		},
		get complete() {
			return next === null;
		},
		get outdated() {
			return outdated;
		},
		get error() {
			return error;
		},
		more,
		again,
		retry: () => (failed === undefined ? again() : more()),
	};
}

/** whole reads a list to its end, or until there are `most` items of it. */
export async function whole<T, Key>(
	load: (after: Key | undefined) => Promise<Page<T, Key>>,
	most: number,
): Promise<{ items: T[]; complete: boolean }> {
	let page = await load(undefined);
	let items = page.items;
	while (page.next !== null && items.length < most) {
		page = await load(page.next);
		items = items.concat(page.items);
	}
	return { items, complete: page.next === null };
}
