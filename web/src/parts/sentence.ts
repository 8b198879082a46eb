import type { Snippet } from "svelte";

/** A word of a sentence that says what is shown, and the menu behind it. */
export interface Word {
	label: string;
	/** The word in the sentence. */
	text: string;
	/** The choice in the address. */
	value: string;
	choices: readonly Choice[];
	/** There is nothing to choose yet. */
	disabled?: boolean;
	choose: (value: string) => void;
	/** The period before and the one after can be reached from here. */
	steps?: boolean;
}

interface Choice {
	value: string;
	title: string;
}

/** A word behind which fields stand. */
interface Opening {
	label: string;
	text: string;
	/** Labels with a field each. */
	fields: Snippet;
}

/** What is shown, as a sentence: words with a menu or fields, and what stands between them. */
export type Sentence = readonly (string | Word | Opening)[];
