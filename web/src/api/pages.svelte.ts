import { untrack } from "svelte";
import { ApiError } from "./error";
import { events } from "./events.svelte";
import { pending } from "./pending.svelte";
import { Retry } from "./retry";

/** The end of a page: an id, or in other orders a text of the server. */
export type After = number | string;

/** A page of a list. `next` says where the next page begins; it is null on the last page. */
export interface Page<T, Key> {
	items: T[];
	next: Key | null;
}

/** A list that is read page by page. */
export interface Pages<T> {
	readonly rows: T[];
	/** Whether the first page is there. */
	readonly begun: boolean;
	/** How often the list started over, because of a change of the address or a reload. Updates do not count. */
	readonly beginnings: number;
	/** Whether the list has no further rows. */
	readonly complete: boolean;
	/** Whether the list changed, and is too long to be read again without being asked. */
	readonly outdated: boolean;
	/** Why the newest page could not be read; undefined if it could. */
	readonly error: unknown;
	/** more reads the next page. */
	more(): void;
	/** again reads the list from its beginning. */
	again(): void;
	/** retry sends the request that failed again, without the pause before the next attempt. */
	retry(): void;
}

/**
 * pages reads a list page by page. It reads the first page at once, and again when state changes that `load` reads
 * before its first await (the address). It reads further pages until there are `eager` rows, and then only when
 * asked. When a journal entry changes one of the entities, it reads everything again if that is one page or at most
 * `eager` rows. Old rows stay until new ones arrive; `pending` tells whether they match the address. If the server no
 * longer accepts the place of the next page, the list starts over. A record that moves to a later page while the list
 * is read stands only there: keys are unique. A page that failed because the server did not answer or was busy is read
 * again after a pause. Call it while a component is created; it ends with the component.
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
	let wanted = 0; // how many rows the failed request from the beginning was to read
	const retry = new Retry(() => untrack(resume));
	let sought = false; // the list started over because the place of the next page was lost, and no further page was read since
	let pagesRead = 0;
	/** Ends the count of rows that no longer match the address; undefined if the rows match. */
	let answered: (() => void) | undefined;

	/** Reads from `after` on, until there are at least `least` rows or no more. */
	async function extend(before: T[], after: Key | undefined, least: number): Promise<void> {
		const { signal } = request;
		retry.stop();
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
			retry.succeeded();
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
			wanted = least;
			retry.failed(reason);
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

	/** followed appends a page. Rows that the page has too are taken from the page. */
	function followed(before: T[], items: T[]): T[] {
		const newer = new Set(items.map(key));
		const kept = before.some((item) => newer.has(key(item))) ? before.filter((item) => !newer.has(key(item))) : before;
		return kept.concat(items);
	}

	function more(): void {
		if (loading || next === null || next === undefined || (error && failed === undefined)) return;
		void extend(rows, next, 0);
	}

	/** Reads the list from its beginning, until there are at least `least` rows. */
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

	/** Sends the request that failed again. */
	function resume(): void {
		if (failed === undefined) begin(wanted, sought);
		else more();
	}

	function settle(): void {
		answered?.();
		answered = undefined;
	}

	/** Whether the server does not accept the place of the next page. */
	function lost(reason: unknown): boolean {
		return reason instanceof ApiError && reason.details.some(({ field }) => field === "after");
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

	// Load before the component renders, as live does.
	$effect.pre(() => {
		untrack(() => {
			if (next !== undefined) answered ??= pending.begin();
			error = undefined;
		});
		begin(0);
		return () => {
			request.abort();
			retry.stop();
		};
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
		retry: resume,
	};
}

/** whole reads a list to its end, or until it has `most` items. */
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
