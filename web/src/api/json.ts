import { parse as parseLosslessly } from "lossless-json";

/** parse reads JSON. Numbers that a float would round stay text (see Exact); all else is as it was sent. */
export function parse(text: string): unknown {
	return parseLosslessly(text, null, (value) => {
		const number = Number(value);
		return Number.isSafeInteger(number) && /^-?\d+$/.test(value) ? number : value;
	});
}
