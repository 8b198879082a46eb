import { flushSync } from "svelte";
import { since } from "./since";

/** watched is all that is said of an instant so far, until destroyed. */
export function watched(iso: string) {
	const said: string[] = [];
	const destroy = $effect.root(() => {
		$effect(() => {
			said.push(since(iso));
		});
	});
	flushSync();
	return { said, destroy };
}
