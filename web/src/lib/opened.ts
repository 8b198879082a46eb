import { address } from "./address.svelte";

/** The parameter of the address that names what is opened, several with commas between. */
const name = "open";

/** opened are the keys of the rows that the address opens. */
export function opened(): ReadonlySet<string> {
	return new Set(address.get(name).split(",").filter(Boolean).map(decoded));
}

/** toggle opens what is closed, and closes what is open; that is no step to come back to. */
export function toggle(key: string): void {
	const keys = new Set(opened());
	if (!keys.delete(key)) keys.add(key);
	address.change({ [name]: [...keys].map(encoded).join(",") }, { replace: true });
}

function encoded(key: string): string {
	return key.replace(/[%,]/g, encodeURIComponent);
}

function decoded(text: string): string {
	return text.replaceAll("%2C", ",").replaceAll("%25", "%");
}
