import { whole as count } from "../format/format";

/** What a list that is read page by page can be sorted by at the server: a column's id, and the server's name for it. */
export type Orders<Name extends string> = Readonly<Record<string, Name>>;

/** newest is the order of a list that nobody asked to be sorted. */
export const newest = "-id";

/** orderOf is the order that an address asks for, where the server has it; else the newest first. */
export function orderOf(asked: string, orders: Orders<string>): string {
	return Object.hasOwn(orders, asked.replace(/^-/, "")) ? asked : newest;
}

/** queried is an order in the words of the server. */
export function queried<Name extends string>(order: string, orders: Orders<Name>): Name | `-${Name}` {
	const name = orders[order.replace(/^-/, "")] as Name;
	return order.startsWith("-") ? `-${name}` : name;
}

/** captioned says of what a table is, and in which order. */
export function captioned(what: string, order: string, columns: readonly { id: string; title: string }[]): string {
	const column = columns.find(({ id }) => id === order.replace(/^-/, ""));
	if (order === newest || !column) return `${what}, the newest first`;
	return `${what}, sorted by ${column.title}, ${order.startsWith("-") ? "descending" : "ascending"}`;
}

/** begun says how many rows of a list that goes on are there. */
export function begun(rows: number, order: string): string {
	return order === newest ? `The newest ${count(rows)}` : `The first ${count(rows)} in this order`;
}

/** following says where the others of them are. */
export function following(order: string): string {
	return `; ${order === newest ? "older ones" : "others"} follow as you scroll`;
}
