import { Decimal, type Exact } from "../format/decimal";
import { percent } from "../format/format";

/**
 * A part of the sentence that opens a screen: a text, a name, or a figure with a link to the rows that make it. The unit
 * is said with the first figure of a sentence.
 */
export type Piece =
	| string
	| { name: string }
	| { amount: Exact | Decimal; href: string; unit?: boolean }
	| { variance: Exact | Decimal; href: string; unit?: boolean }
	| { count: number; href: string };

/** A budget and its actual, of which a sentence tells. */
export interface Whole {
	/** The beginning of the sentence. */
	subject: string;
	budget: Exact | null;
	actual: Exact | null;
	variance: Exact;
	percent: Exact;
	href: string;
	/** The plan inside a sentence: budget, or forecast 1. */
	planned: string;
}

/** A part of a whole, by its name. */
export interface Part {
	name: string;
	variance: Exact;
	href: string;
}

/** wholeOf says how far a result is from its plan. Without a plan, or without an actual, there is no distance. */
export function wholeOf({ subject, budget, actual, variance, percent: share, href, planned }: Whole): Piece[] {
	if (budget === null && actual === null) return [`${subject} has no ${planned} and no actual`];
	if (budget === null)
		return [`${subject} has no ${planned}; its actual is `, { amount: actual ?? 0, href, unit: true }];
	if (actual === null)
		return [`${subject} has no actual yet; its ${planned} is `, { amount: budget, href, unit: true }];
	if (Decimal.of(variance).sign === 0)
		return [`${subject} is `, { amount: actual, href, unit: true }, `, exactly on ${planned}`];
	const off = percent(Decimal.of(share).absolute(), { zeroDash: false });
	const beside = Decimal.of(budget).sign === 0 ? "" : `, ${off}`;
	return [`${subject} is `, { variance, href, unit: true }, ` than ${planned}${beside}`];
}

/** partsOf names the `most` largest parts of a variance, and counts the others, so that all of it adds up to the whole. */
export function partsOf(parts: readonly Part[], most: number, others: { href: string }): Piece[] {
	const size = (part: Part) => Decimal.of(part.variance).absolute();
	const off = parts.filter((part) => size(part).sign !== 0).sort((a, b) => size(b).compare(size(a)));
	const named = off.slice(0, off.length > most + 1 ? most : off.length);
	const rest = off.slice(named.length);
	const said: Piece[][] = named.map(({ name, variance, href }) => [{ name }, " ", { variance, href }]);
	const left = Decimal.sum(rest.map(({ variance }) => Decimal.of(variance)));
	if (left.sign !== 0)
		said.push([{ count: rest.length, href: others.href }, " others ", { variance: left, href: others.href }]);
	return listed(said);
}

/** listed joins the items of a list: a, b and c. */
function listed(items: readonly Piece[][]): Piece[] {
	return items.flatMap((item, i) => (i === 0 ? item : [i === items.length - 1 ? " and " : ", ", ...item]));
}

/** because adds to a whole the parts that it is the sum of, if there are any. */
export function because(whole: readonly Piece[], parts: readonly Piece[]): Piece[] {
	return [...whole, ...(parts.length > 0 ? [": ", ...parts] : []), "."];
}
