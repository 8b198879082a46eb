import { address } from "./address.svelte";
import { compound, partsOf } from "./compoundKey";

/** The parameters of the address that name what is opened, several with commas between: rows, and the tables behind charts. */
type Kind = "open" | "table";

/** opened are the keys of what the address opens. */
export function opened(name: Kind): ReadonlySet<string> {
	return new Set(partsOf(address.get(name), ",").filter(Boolean));
}

/** toggle opens what is closed, and closes what is open; that is no step to come back to. */
export function toggle(name: Kind, key: string): void {
	const keys = new Set(opened(name));
	if (!keys.delete(key)) keys.add(key);
	address.change({ [name]: compound([...keys], ",") }, { replace: true });
}
