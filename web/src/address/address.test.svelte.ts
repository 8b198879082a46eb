import { flushSync } from "svelte";

/** watched records a value, and each later value that its reader is told. */
export function watched(read: () => string) {
	const seen: string[] = [];
	const end = $effect.root(() => {
		$effect(() => {
			seen.push(read());
		});
	});
	flushSync();
	return {
		values() {
			flushSync();
			return seen;
		},
		end,
	};
}
