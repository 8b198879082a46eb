import { because, type Part, type Piece, partsOf, wholeOf } from "../../budget/answer";
import { planOf } from "../../budget/versions";
import type { Exact } from "../../format/decimal";
import { whole as count } from "../../format/format";
import type { CurrencyHeatMap, HeatCell } from "./heatMaps";
import type { Line, Section, Side, Statement } from "./statement";

/** What an answer is about, and where its figures lead. */
interface About {
	versions: readonly string[];
	/** The period of the figures inside a sentence. */
	span: string;
	href: string;
}

interface Links extends About {
	line: (line: Line) => string;
	section: (section: Section) => string;
}

/** How many parts are named. The others are counted. */
const most = 2;

/** statementAnswer says how far a statement is from plan: the net result by its types, or one type by its accounts. */
export function statementAnswer({ sections, totals }: Statement, links: Links): Piece[] {
	const lines = sections.flatMap((section) => section.lines);
	const [only] = totals.length === 0 ? sections : [];
	const subject = only ? `The sum of ${only.title.toLowerCase()}` : "The net result";
	const parts = only
		? lines.map((line) => ({ name: line.description || line.code, sides: line.sides, href: links.line(line) }))
		: sections.map((section) => ({
				name: section.title.toLowerCase(),
				sides: section.subtotals,
				href: links.section(section),
			}));
	const sides = only ? only.subtotals : totals;
	return answerOf(
		subject,
		sides,
		lines.map((line) => line.sides),
		parts,
		only ? most : sections.length,
		links,
	);
}

interface Row {
	name: string;
	sides: readonly (Side | undefined)[];
	href: string;
}

/** departmentsAnswer says how far the net result is from plan, by its departments. */
export function departmentsAnswer(total: readonly (Side | undefined)[], rows: readonly Row[], about: About): Piece[] {
	return answerOf(
		"The net result",
		total,
		rows.map((row) => row.sides),
		rows,
		most,
		about,
	);
}

/** lineAnswer says how far one line is from plan, by its departments where it has several. */
export function lineAnswer({ description, code, sides }: Line, rows: readonly Row[], about: About): Piece[] {
	return answerOf(description || code, sides, [sides], rows.length > 1 ? rows : [], most, about);
}

/** answerOf tells of one version with its parts, or of two beside each other. */
function answerOf(
	subject: string,
	total: readonly (Side | undefined)[],
	lines: readonly (readonly (Side | undefined)[])[],
	parts: readonly Row[],
	named: number,
	{ versions, span, href }: About,
): Piece[] {
	const sum = (i: number, of: "budget" | "actual"): Exact | null =>
		lines.some((sides) => (sides[i]?.[of] ?? null) !== null) ? (total[i]?.[of] ?? null) : null;
	const whole = (i: number, subject: string) =>
		wholeOf({
			subject,
			budget: sum(i, "budget"),
			actual: sum(i, "actual"),
			variance: total[i]?.variance_abs ?? 0,
			percent: total[i]?.variance_pct ?? 0,
			href,
			planned: planOf(versions[i] ?? ""),
		});
	if (versions.length > 1) return [...whole(0, `${subject} of ${span}`), "; ", ...whole(1, "it"), "."];
	const first = whole(0, `${subject} of ${span}`);
	if (sum(0, "budget") === null || sum(0, "actual") === null) return because(first, []);
	const off = parts.map(({ name, sides, href }): Part => ({ name, href, variance: sides[0]?.variance_abs ?? 0 }));
	return because(first, partsOf(off, named, { href }));
}

/** Names the columns of a heat map, and links to what it counts and to a cell. */
interface MapLinks {
	columns: "departments" | "periods";
	planned: string;
	/** Leads to a table of the columns, if there is one. */
	counted?: string | undefined;
	name: (cell: HeatCell) => string;
	href: (cell: HeatCell) => string;
}

/** mapAnswer counts the columns of a heat map that are off plan, and names the two cells that are farthest off. */
export function mapAnswer(
	{ counts, farthest }: CurrencyHeatMap,
	{ columns, planned, counted, name, href }: MapLinks,
): Piece[] {
	const { all, worse, better } = counts;
	const number = (n: number): Piece => (counted ? { count: n, href: counted } : count(n));
	const far = farthest.flatMap((cell, i): Piece[] => [
		...(i > 0 ? [", and "] : []),
		{ name: name(cell) },
		", ",
		{ variance: cell.variance, href: href(cell), unit: i === 0 },
	]);
	const most: Piece[] =
		far.length > 0 ? [`; farthest off ${farthest.length === 1 ? "is" : "are"} `, ...far, "."] : ["."];
	if (worse + better === 0) return [`In total no ${columns.slice(0, -1)} is off ${planned}`, ...most];
	if (worse === all || better === all)
		return [
			...(all === 1 ? [`The ${columns.slice(0, -1)}`] : ["All ", number(all), ` ${columns}`]),
			` came out ${worse > 0 ? "worse" : "better"} than ${planned}`,
			...most,
		];
	const [first, second] = worse > better ? [worse, better] : [better, worse];
	const words = worse > better ? ["worse", "better"] : ["better", "worse"];
	const other: Piece[] = second > 0 ? [" and ", number(second), ` ${words[1]}`] : [];
	return [`Of ${count(all)} ${columns} `, number(first), ` came out ${words[0]} than ${planned}`, ...other, ...most];
}
