/**
 * compoundKey makes one key of several texts, such as an account and a currency. Different lists of texts have different
 * keys, because a separator inside a text is escaped.
 */
export function compoundKey(parts: readonly string[], separator = " "): string {
	const escaped = new RegExp(`[%${separator}]`, "g");
	return parts.map((part) => part.replace(escaped, encodeURIComponent)).join(separator);
}

/** partsOfKey returns the texts of a key. */
export function partsOfKey(key: string, separator = " "): string[] {
	const escape = encodeURIComponent(separator);
	return key.split(separator).map((part) => part.replaceAll(escape, separator).replaceAll("%25", "%"));
}
