import { address, type Parameters, shared } from "../../address/address.svelte";

/** used returns a link to all records that use something, without the shared filters; undefined if there are none. */
export function used(count: number, screen: string, changes: Parameters): string | undefined {
	if (count === 0) return undefined;
	const every = Object.fromEntries(shared.map((name) => [name, ""]));
	return address.href(screen, { ...every, ...changes });
}
