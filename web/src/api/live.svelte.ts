import { untrack } from "svelte";
import { events } from "./events.svelte";
import { pending } from "./pending.svelte";
import { Retry } from "./retry";

/** A value from the server that stays up to date. */
export interface Live<T> {
	/**
	 * The newest answer. It stays while a new one is loading; `pending` tells whether it still matches the address.
	 * It is undefined before the first answer, after a request that the server refused (not if it was only busy), and
	 * after a failed request for something else.
	 */
	readonly value: T | undefined;
	/** Why the newest request failed; undefined if it did not. */
	readonly error: unknown;
	readonly loading: boolean;
	/** again sends the request again. */
	again(): void;
}

/**
 * live loads a value and keeps it up to date. It loads at once, when state changes that `load` reads before its first
 * await (the address), when a journal entry changes one of the entities, and after a pause when the server did not
 * answer or was busy. A newer request aborts the older one and drops its answer. Call it while a component is created;
 * it ends with the component.
 */
export function live<T>(load: (signal: AbortSignal) => Promise<T>, entities: readonly string[] = []): Live<T> {
	let value = $state.raw<T>();
	let error = $state.raw<unknown>();
	let loading = $state(false);
	let stale = false;
	let request = new AbortController();
	/** Ends the count of a value that no longer matches the address; undefined if the value matches. */
	let answered: (() => void) | undefined;
	const retry = new Retry(again);

	// A change during a request does not abort it. Otherwise changes that are faster than answers would let none
	// through.
	function again(): void {
		untrack(() => {
			if (loading) stale = true;
			else void ask();
		});
	}

	async function ask(): Promise<void> {
		stop();
		request = new AbortController();
		const { signal } = request;
		stale = false;
		loading = true;
		try {
			const answer = await load(signal);
			if (signal.aborted) return;
			value = answer;
			error = undefined;
			retry.succeeded();
		} catch (reason) {
			if (signal.aborted) return;
			error = reason;
			const refused = !retry.failed(reason);
			// After a refusal, or a failed request for something else, old figures must not stay under the new
			// address.
			if (answered || refused) value = undefined;
		}
		settle();
		loading = false;
		if (stale) again();
	}

	function stop(): void {
		request.abort();
		retry.stop();
	}

	function settle(): void {
		answered?.();
		answered = undefined;
	}

	// Load before the component renders, so that both happen at the same time.
	$effect.pre(() => {
		untrack(() => {
			if (value !== undefined) answered ??= pending.begin();
			error = undefined;
		});
		void ask();
		return stop;
	});
	$effect(() => settle);
	$effect(() => events.listen(entities, again));

	return {
		get value() {
			return value;
		},
		get error() {
			return error;
		},
		get loading() {
			return loading;
		},
		again,
	};
}
