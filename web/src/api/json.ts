import { parse as parseLosslessly } from "lossless-json";
import { isolated, paired, turns } from "../format/bidi";

/** The fields of people's own words. They are only ever shown; codes, symbols and sources are compared and asked for. */
const words = new Set(["name", "description", "gl_description", "notes", "category", "company", "cost_center"]);

/** parse reads JSON, keeps as text what a float would round (see Exact), and lets no text turn what is beside it. */
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
