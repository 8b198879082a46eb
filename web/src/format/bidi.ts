const openers: Record<string, string> = {
	"\u202a": "\u202c",
	"\u202b": "\u202c",
	"\u202d": "\u202c",
	"\u202e": "\u202c",
	"\u2066": "\u2069",
	"\u2067": "\u2069",
	"\u2068": "\u2069",
};
const pdf = "\u202c";
const pdi = "\u2069";
const fsi = "\u2068";

/** Characters that reorder the text beside them: bidirectional controls, and letters of right-to-left scripts. */
const turning = /[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** turns reports whether a text can reorder what is printed beside it. */
export function turns(text: string): boolean {
	return turning.test(text);
}

/**
 * isolated returns a text that reorders nothing beside it, also in an attribute or a drawing, where no element isolates
 * it. Each place that prints a name, a description, notes or a category uses it; records keep their text as it is
 * stored.
 */
export function isolated(text: string): string {
	return turns(text) ? fsi + paired(text) + pdi : text;
}

/** isolatedPart returns what isolated was given, except for closing controls that it dropped or added. */
export function isolatedPart(text: string): string {
	return text.startsWith(fsi) && text.endsWith(pdi) ? text.slice(1, -1) : text;
}

/**
 * paired drops closing controls without an opening one, and closes every control that is still open, line by line. An
 * unmatched closing control would end the isolation around the text, even that of an HTML element.
 */
export function paired(text: string): string {
	if (!/[\u202a-\u202e\u2066-\u2069]/.test(text)) return text;
	const open: string[] = []; // the closing character of each open control, the innermost last
	const closing = () => open.splice(0).reverse().join("");
	let all = "";
	for (const c of text) {
		const closer = openers[c];
		if (closer) open.push(closer);
		else if (c === pdf) {
			if (open.at(-1) !== pdf) continue;
			open.pop();
		} else if (c === pdi) {
			if (!open.includes(pdi)) continue;
			while (open.pop() === pdf); // an embedding ends with the isolate around it
		} else if (c === "\n" || c === "\u2029") all += closing();
		all += c;
	}
	return all + closing();
}
