import { whole as count } from "../format/format";

/** The columns by which the server sorts a paged list: a column's id, and the server's name for it. */
export type Orders<Name extends string> = Readonly<Record<string, Name>>;

/** The default order of a list: the newest first. */
export const newest = "-id";

/** orderOf returns the order in the address if the server has it, else the newest first. */
export function orderOf(asked: string, orders: Orders<string>): string {
	return Object.hasOwn(orders, asked.replace(/^-/, "")) ? asked : newest;
}

/** queried returns an order as the API names it. */
export function queried<Name extends string>(order: string, orders: Orders<Name>): Name | `-${Name}` {
	const name = orders[order.replace(/^-/, "")] as Name;
	return order.startsWith("-") ? `-${name}` : name;
}

/** captioned returns the caption of a table with its order. */
export function captioned(what: string, order: string, columns: readonly { id: string; title: string }[]): string {
	const column = columns.find(({ id }) => id === order.replace(/^-/, ""));
	if (order === newest || !column) return `${what}, the newest first`;
	return `${what}, sorted by ${column.title}, ${order.startsWith("-") ? "descending" : "ascending"}`;
}

/** begun says how many rows of an unfinished list are there. */
export function begun(rows: number, order: string): string {
	return order === newest ? `The newest ${count(rows)}` : `The first ${count(rows)} in this order`;
}

/** following says how to get the other rows. */
export function following(order: string): string {
	return `; scroll to load ${order === newest ? "older ones" : "more"}`;
}
