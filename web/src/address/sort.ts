import { address } from "./address.svelte";

/** The order of a table: a column's id, with a minus sign for descending order. */
interface TableSort {
	sort: string;
	onsort: (sort: string) => void;
}

/** sortFromAddress reads the order of a table from a parameter of the address; `usual` is the default. */
export function sortFromAddress(name: string, usual = ""): TableSort {
	const sort = address.get(name) || usual;
	return {
		sort,
		onsort(pressed) {
			// An empty order means the default; if that is the current order, reverse it.
			const wanted = pressed || (sort === usual ? usual.replace(/^-/, "") : usual);
			address.change({ [name]: wanted === usual ? "" : wanted }, { replace: true });
		},
	};
}
