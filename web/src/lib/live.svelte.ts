import { events } from "./events.svelte";
import { Refused } from "./refused";

/** What a screen shows of the server, kept as new as the server says. */
export interface Live<T> {
	/** The newest answer; undefined before the first, and where the newest request was refused. It stays while another is awaited. */
	readonly value: T | undefined;
	/** Why the newest request has no answer; undefined where it has. */
	readonly error: unknown;
	readonly loading: boolean;
	/** again asks anew. */
	again(): void;
}

/**
 * live asks for what `load` loads: at once, when something changes that `load` reads before it
 * first awaits (the address), and when one of the entities of the journal changes. An answer
 * that was overtaken is dropped, and its request ended by the signal. It is called where a
 * component begins, and lives as long as that.
 */
export function live<T>(load: (signal: AbortSignal) => Promise<T>, entities: readonly string[] = []): Live<T> {
	let value = $state.raw<T>();
	let error = $state.raw<unknown>();
	let loading = $state(false);
	let round = $state(0);
	let stale = false;

	// A change while an answer is awaited does not end the request: changes that come
	// faster than answers would let none through.
	function again(): void {
		if (loading) stale = true;
		else round++;
	}

	async function ask(signal: AbortSignal): Promise<void> {
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
			// What was refused has no figures: those of the last request would pass for it.
			if (reason instanceof Refused) value = undefined;
		}
		loading = false;
		if (stale) round++;
	}

	// Before what shows it is built, so that the answer comes meanwhile.
	$effect.pre(() => {
		void round;
		const request = new AbortController();
		void ask(request.signal);
		return () => request.abort();
	});
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
