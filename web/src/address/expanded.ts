import { address } from "./address.svelte";
import { compound, partsOf } from "./compoundKey";

/**
 * The parameters of the address that list what is expanded, separated by commas: rows, and the tables behind charts.
 */
type Kind = "open" | "table";

/** opened returns the keys of what the address expands. */
export function opened(name: Kind): ReadonlySet<string> {
	return new Set(partsOf(address.get(name), ",").filter(Boolean));
}

/** toggle expands or collapses a key, without a new step in the history. */
export function toggle(name: Kind, key: string): void {
	const keys = new Set(opened(name));
	if (!keys.delete(key)) keys.add(key);
	address.change({ [name]: compound([...keys], ",") }, { replace: true });
}
