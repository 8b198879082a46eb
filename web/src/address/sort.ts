import { address } from "./address.svelte";

/** The order of a table, as it takes it: a column's id, downwards with a minus sign. */
interface Ordered {
	sort: string;
	onsort: (sort: string) => void;
}

/** ordered is the order that a parameter of the address names; `usual` where it names none. */
export function ordered(name: string, usual = ""): Ordered {
	const sort = address.get(name) || usual;
	return {
		sort,
		onsort(pressed) {
			// Back to the usual order; where that is the one there is, the other way round.
			const wanted = pressed || (sort === usual ? usual.replace(/^-/, "") : usual);
			address.change({ [name]: wanted === usual ? "" : wanted }, { replace: true });
		},
	};
}
