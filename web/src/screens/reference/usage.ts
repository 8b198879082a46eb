import { address, type Parameters, sharedParameters } from "../../address/address.svelte";
import { pathOf } from "../../api/request";

/** used returns a link to all records that use something, without the shared filters; undefined if there are none. */
export function used(count: number, screen: string, changes: Parameters): string | undefined {
	if (count === 0) return undefined;
	const every = Object.fromEntries(sharedParameters.map((name) => [name, ""]));
	return address.href(screen, { ...every, ...changes });
}

/**
 * budgeted returns the path of the budget lines that use something; undefined if there are none. The variance shows one
 * year and version, which may have none of them.
 */
export function budgeted(count: number, filter: Parameters): string | undefined {
	return count === 0 ? undefined : pathOf("/api/v1/budgets", filter);
}
