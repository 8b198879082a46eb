import { flushSync } from "svelte";
import { type Page, type Pages, pages } from "./pages.svelte";

/** turned is a list read page by page outside a component, until destroyed; `filter` is what its load reads. */
export function turned(
	load: (filter: string, after: number | undefined) => Promise<Page<number, number>>,
	eager?: number,
) {
	let filter = $state("");
	let list: Pages<number> | undefined;
	const destroy = $effect.root(() => {
		list = pages((after: number | undefined) => load(filter, after), Math.abs, ["trades"], eager);
	});
	flushSync();
	return {
		list: list as Pages<number>,
		destroy,
		narrow(to: string) {
			filter = to;
			flushSync();
		},
	};
}
