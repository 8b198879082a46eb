import { parse as parseLosslessly } from "lossless-json";
import { isolated, paired, turns } from "../format/bidi";

/** Fields with free text. The page only prints them; it compares and sends codes, symbols and sources. */
const words = new Set(["name", "description", "gl_description", "notes", "category", "company", "cost_center"]);

/** parse reads JSON. Numbers that a float would round stay text (see Exact), and no text reorders what is beside it. */
export function parse(text: string): unknown {
	return parseLosslessly(text, turns(text) || text.includes("\\u") ? inOrder : null, (value) => {
		const number = Number(value);
		return Number.isSafeInteger(number) && /^-?\d+$/.test(value) ? number : value;
	});
}

function inOrder(field: string, value: unknown): unknown {
	if (typeof value !== "string") return value;
	return words.has(field) ? isolated(value) : paired(value);
}
