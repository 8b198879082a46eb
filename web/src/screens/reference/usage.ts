import { address, type Parameters, sharedParameters } from "../../address/address.svelte";

/** used returns a link to all records that use something, without the shared filters; undefined if there are none. */
export function used(count: number, screen: string, changes: Parameters): string | undefined {
	if (count === 0) return undefined;
	const every = Object.fromEntries(sharedParameters.map((name) => [name, ""]));
	return address.href(screen, { ...every, ...changes });
}
