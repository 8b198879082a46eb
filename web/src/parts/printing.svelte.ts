import { flushSync } from "svelte";

/** printing reports whether the page is being printed. Call it while a component is created. */
export function printing(): { readonly on: boolean } {
	let on = $state(false);
	$effect(() => {
		const paper = matchMedia("print");
		const start = () => flushSync(() => (on = true));
		const end = () => (on = false);
		const turn = () => (paper.matches ? start() : end());
		addEventListener("beforeprint", start);
		addEventListener("afterprint", end);
		paper.addEventListener("change", turn);
		return () => {
			removeEventListener("beforeprint", start);
			removeEventListener("afterprint", end);
			paper.removeEventListener("change", turn);
		};
	});
	return {
		get on() {
			return on;
		},
	};
}
