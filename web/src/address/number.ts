import { Decimal } from "../format/decimal";

/**
 * wholeNumber reads a whole number from a parameter of the address, in any notation that the server accepts: 6, 06 and
 * 6.0 are the same. Other text is passed on unchanged, so that the server's error message quotes it.
 */
export function wholeNumber<N extends number>(text: string): N {
	const read = Decimal.read(text);
	const number = read?.minus(read.rounded(0)).sign === 0 ? read.number : Number.NaN;
	return (Number.isSafeInteger(number) ? number : text) as N;
}
