/**
 * numberOf is the whole number that a parameter of the address writes. What is none is passed on as it
 * is written, so that the server's refusal quotes it.
 */
export function numberOf<N extends number>(text: string): N {
	const number = Number(text);
	return (/^-?\d+$/.test(text) && Number.isSafeInteger(number) ? number : text) as N;
}
