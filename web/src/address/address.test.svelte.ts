import { flushSync } from "svelte";

/** watched notes what is read, and each change of it that whoever reads it is told of. */
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
