import type { Snippet } from "svelte";
import type { Sentence } from "./sentence";

/** The filters that a screen has beside those of the scope. On a phone they stand behind the button of the scope. */
export interface Own {
	/** What they say at the beginning of the sentence, such as "Buys of NBKI". */
	before?: string | undefined;
	/** What they say at its end, such as ", off by more than 10%". */
	after?: string | undefined;
	/** Labels with a field each. */
	fields?: Snippet | undefined;
	/** Words that stand in the sentence of the scope, before and after it. */
	words?: Words | undefined;
}

export interface Words {
	before: Sentence;
	after: Sentence;
}

class OwnFilters {
	shown = $state.raw<Own>();
}

export const ownFilters = new OwnFilters();
