import { flushSync } from "svelte";
import { type Live, live } from "./live.svelte";

/** lived is a live value outside a component, until destroyed. */
export function lived<T>(load: (signal: AbortSignal) => Promise<T>, entities?: readonly string[]) {
	let value: Live<T> | undefined;
	const destroy = $effect.root(() => {
		value = live(load, entities);
	});
	flushSync();
	return { live: value as Live<T>, destroy };
}

/** counter is something that a load can read. */
export function counter(): { value: number } {
	let value = $state(0);
	return {
		get value() {
			return value;
		},
		set value(next) {
			value = next;
		},
	};
}
