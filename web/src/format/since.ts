import { createSubscriber } from "svelte/reactivity";
import { ago } from "./format";

const pause = 30_000;

/** One clock for all readers. It stops while the page is hidden. */
const passes = createSubscriber((update) => {
	const told = () => {
		if (!document.hidden) update();
	};
	const timer = setInterval(told, pause);
	document.addEventListener("visibilitychange", told);
	return () => {
		clearInterval(timer);
		document.removeEventListener("visibilitychange", told);
	};
});

/** since prints how long ago an instant is. A component that calls it is updated as time passes. */
export function since(iso: string | null | undefined): string {
	passes();
	return ago(iso);
}
