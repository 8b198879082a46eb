import { untrack } from "svelte";
import { Refused } from "./error";
import { events } from "./events.svelte";
import { awaited } from "./pending.svelte";

/** What a screen shows of the server, kept as new as the server says. */
export interface Live<T> {
	/**
	 * The newest answer; undefined before the first, where the newest request was refused, and where it failed and the
	 * answer is to another question. It stays while another is awaited: where that is of another question, `awaited` says so.
	 */
	readonly value: T | undefined;
	/** Why the newest request has no answer; undefined where it has. */
	readonly error: unknown;
	readonly loading: boolean;
	/** again asks anew. */
	again(): void;
}

/**
 * live asks for what `load` loads: at once, when something changes that `load` reads before it
 * first awaits (the address), which makes it another question, and when one of the entities of the
 * journal changes. An answer that was overtaken is dropped, and its request ended by the signal. It
 * is called where a component begins, and lives as long as that.
 */
export function live<T>(load: (signal: AbortSignal) => Promise<T>, entities: readonly string[] = []): Live<T> {
	let value = $state.raw<T>();
	let error = $state.raw<unknown>();
	let loading = $state(false);
	let stale = false;
	let request = new AbortController();
	/** Ends what is told of a value that answers another question than is asked; undefined where it answers that. */
	let answered: (() => void) | undefined;

	// A change while an answer is awaited does not end the request: changes that come
	// faster than answers would let none through.
	function again(): void {
		untrack(() => {
			if (loading) stale = true;
			else void ask();
		});
	}

	async function ask(): Promise<void> {
		request.abort();
		request = new AbortController();
		const { signal } = request;
		stale = false;
		loading = true;
		try {
			const answer = await load(signal);
			if (signal.aborted) return;
			value = answer;
			error = undefined;
		} catch (reason) {
			if (signal.aborted) return;
			error = reason;
			// What was refused has no figures, nor has another question: those of the last would pass for them.
			if (answered || reason instanceof Refused) value = undefined;
		}
		settle();
		loading = false;
		if (stale) again();
	}

	function settle(): void {
		answered?.();
		answered = undefined;
	}

	// Before what shows it is built, so that the answer comes meanwhile.
	$effect.pre(() => {
		untrack(() => {
			if (value !== undefined) answered ??= awaited.begin();
			error = undefined;
		});
		void ask();
		return () => request.abort();
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
