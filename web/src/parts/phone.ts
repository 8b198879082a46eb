import { MediaQuery } from "svelte/reactivity";

/** Whether the window is as narrow as a phone. The style sheets say the same width. */
export const phone = new MediaQuery("screen and (width <= 720px)");
