/**
 * compound makes one text of several: the key of what several texts name together, such as an account and a
 * currency. Different lists of at least one text have different compounds, because the separator is escaped
 * where a part contains it.
 */
export function compound(parts: readonly string[], separator = " "): string {
	const escaped = new RegExp(`[%${separator}]`, "g");
	return parts.map((part) => part.replace(escaped, encodeURIComponent)).join(separator);
}

/** partsOf takes a compound apart. */
export function partsOf(compound: string, separator = " "): string[] {
	const escape = encodeURIComponent(separator);
	return compound.split(separator).map((part) => part.replaceAll(escape, separator).replaceAll("%25", "%"));
}
