import { address, type Parameters, shared } from "../../address/address.svelte";

/**
 * used leads to the records that use something: all of them, of whatever year, department or
 * currency. Where there is none it leads nowhere.
 */
export function used(count: number, screen: string, changes: Parameters): string | undefined {
	if (count === 0) return undefined;
	const every = Object.fromEntries(shared.map((name) => [name, ""]));
	return address.href(screen, { ...every, ...changes });
}
