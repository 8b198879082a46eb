import { parse as parseLosslessly } from "lossless-json";

/** parse reads JSON, and keeps as text what a float would round (see Exact). */
export function parse(text: string): unknown {
	return parseLosslessly(text, null, (value) => {
		const number = Number(value);
		return Number.isSafeInteger(number) && /^-?\d+$/.test(value) ? number : value;
	});
}
