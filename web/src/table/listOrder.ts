import { whole as count } from "../format/format";

/** The columns by which the server sorts a paged list: a column's id, and the server's name for it. */
export type Orders<Name extends string> = Readonly<Record<string, Name>>;

/** The default order of a list: the newest first. */
export const newest = "-id";

/** orderOf returns the order in the address if the server has it, else the newest first. */
export function orderOf(asked: string, orders: Orders<string>): string {
	return Object.hasOwn(orders, asked.replace(/^-/, "")) ? asked : newest;
}

/** sortQuery returns an order as the API names it. */
export function sortQuery<Name extends string>(order: string, orders: Orders<Name>): Name | `-${Name}` {
	const name = orders[order.replace(/^-/, "")] as Name;
	return order.startsWith("-") ? `-${name}` : name;
}

/** captionOf returns the caption of a table with its order. */
export function captionOf(what: string, order: string, columns: readonly { id: string; title: string }[]): string {
	const column = columns.find(({ id }) => id === order.replace(/^-/, ""));
	if (order === newest || !column) return `${what}, the newest first`;
	return `${what}, sorted by ${column.title}, ${order.startsWith("-") ? "descending" : "ascending"}`;
}

/** firstRows says how many rows of an unfinished list are there. */
export function firstRows(rows: number, order: string): string {
	return order === newest ? `The newest ${count(rows)}` : `The first ${count(rows)} in this order`;
}

/** scrollHint says how to get the other rows. */
export function scrollHint(order: string): string {
	return `; scroll to load ${order === newest ? "older ones" : "more"}`;
}
