import type { Snippet } from "svelte";

/** The filters that a screen has beside those of the scope. On a phone they stand behind the button of the scope. */
export interface Own {
	/** What they say at the beginning of the sentence, such as "Buys of NBKI". */
	before?: string | undefined;
	/** What they say at its end, such as ", off by more than 10%". */
	after?: string | undefined;
	/** Labels with a field each. */
	fields: Snippet;
}

class OwnFilters {
	shown = $state.raw<Own>();
}

export const ownFilters = new OwnFilters();
