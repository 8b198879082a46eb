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

/** Characters that turn the text beside them: the controls, and the blocks of the scripts that run from right to left. */
const turning = /[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** turns is whether a text has an influence on the order of what is printed beside it. */
export function turns(text: string): boolean {
	return turning.test(text);
}

/** isolated is a text that may stand in any other, in an attribute or a drawing too, and turns nothing beside it. */
export function isolated(text: string): string {
	return turns(text) ? fsi + paired(text) + pdi : text;
}

/**
 * paired is a text without what closes nothing, and with everything closed that it opens, in each of its lines. A
 * closing control without its opening one would end the isolation around it, that of an element of HTML too.
 */
export function paired(text: string): string {
	if (!/[\u202a-\u202e\u2066-\u2069]/.test(text)) return text;
	const open: string[] = []; // what closes each, the innermost last
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
			while (open.pop() === pdf); // an embedding ends with the isolate that it is in
		} else if (c === "\n" || c === "\u2029") all += closing();
		all += c;
	}
	return all + closing();
}
