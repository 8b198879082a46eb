import { Decimal } from "../format/decimal";

/**
 * numberOf is the whole number that a parameter of the address writes, in any notation that the server takes:
 * 6, 06 and 6.0 are the same. What is none is passed on as it is written, so that the server's refusal quotes it.
 */
export function numberOf<N extends number>(text: string): N {
	const read = Decimal.read(text);
	const number = read?.minus(read.rounded(0)).sign === 0 ? read.number : Number.NaN;
	return (Number.isSafeInteger(number) ? number : text) as N;
}
