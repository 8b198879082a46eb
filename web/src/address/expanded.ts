import { address } from "./address.svelte";
import { compoundKey, partsOfKey } from "./compoundKey";

/**
 * The parameters of the address that list what is expanded, separated by commas: rows, and the tables behind charts.
 */
type Kind = "open" | "table";

/** expandedKeys returns the keys of what the address expands. */
export function expandedKeys(name: Kind): ReadonlySet<string> {
	return new Set(partsOfKey(address.get(name), ",").filter(Boolean));
}

/** toggle expands or collapses a key, without a new step in the history. */
export function toggle(name: Kind, key: string): void {
	const keys = new Set(expandedKeys(name));
	if (!keys.delete(key)) keys.add(key);
	address.change({ [name]: compoundKey([...keys], ",") }, { replace: true });
}
