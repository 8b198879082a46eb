import { mount } from "svelte";
import { toast } from "svelte-sonner";
import Toasts from "./Toasts.svelte";

let shown = false;

/** How long a message stays, in milliseconds. It waits while a pointer or the focus is on it. */
const patience = 10_000;

/** tell shows a message at the foot of the page, with a way back where there is one. */
export function tell(message: string, undo?: () => void): void {
	if (!shown) mount(Toasts, { target: document.body });
	shown = true;
	toast(message, {
		duration: patience,
		...(undo ? { action: { label: "Undo", onClick: undo } } : {}),
	});
}
