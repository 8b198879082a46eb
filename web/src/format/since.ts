import { createSubscriber } from "svelte/reactivity";
import { ago } from "./format";

const pause = 30_000;

/** One clock for all who read it; it tells nobody anything while the page is out of sight. */
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

/** since is how long ago an instant is, and goes on being so while it is looked at. */
export function since(iso: string | null | undefined): string {
	passes();
	return ago(iso);
}
