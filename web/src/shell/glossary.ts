import type { Screen } from "../screens/screens";

/** A word of finance, and what it means here. */
export interface Term {
	term: string;
	text: string;
}

const [load] = Object.values(
	import.meta.glob<string>("../../manual/glossary.md", { query: "?raw", import: "default" }),
);

/** loadTerms loads the glossary of the manual. */
export async function loadTerms(): Promise<Term[]> {
	return load ? termsOf(await load()) : [];
}

/** termsOf reads the terms of the glossary: paragraphs that begin with a term in bold. */
export function termsOf(markdown: string): Term[] {
	return markdown.split(/\n{2,}/).flatMap((paragraph) => {
		const [, term, text] = /^\*\*(.+?)\.\*\*\s+(.+)$/s.exec(paragraph.trim()) ?? [];
		return term && text ? [{ term, text: text.replaceAll("\n", " ").replaceAll("`", "") }] : [];
	});
}

const budget = [
	"Budget line",
	"Actual",
	"Variance",
	"Favourable, unfavourable",
	"Version",
	"Fiscal year, fiscal period",
];
const portfolio = ["Trade", "Instrument", "Position", "Average cost", "Mark", "Realised and unrealised result"];

/** The terms that a screen uses, the most important first. */
export const usedOn: Partial<Record<Screen["id"], readonly string[]>> = {
	overview: ["Net result after capital expenditure", "Year to date", ...budget, "Alert"],
	variance: [
		"Variance",
		"Year to date",
		"Gross profit",
		"Operating result",
		"Contra account",
		...budget.filter((term) => term !== "Variance"),
	],
	alerts: ["Alert", ...budget],
	actuals: ["Actual", "Department", "General ledger account (GL account)", "Fiscal year, fiscal period"],
	trades: portfolio,
	positions: ["Position", ...portfolio.filter((term) => term !== "Position")],
	reference: ["Department", "General ledger account (GL account)", "Contra account", "Favourable, unfavourable"],
	quality: ["Budget line", "Actual", "Contra account"],
	status: ["Journal", "Chain, link, head", "Manifest"],
};

/** sorted returns the terms of a screen first, and how many they are. */
export function sorted(terms: readonly Term[], screen: Screen["id"] | undefined): { terms: Term[]; used: number } {
	const names = (screen && usedOn[screen]) ?? [];
	const first = names.flatMap((name) => terms.find(({ term }) => term === name) ?? []);
	return { terms: [...first, ...terms.filter((each) => !first.includes(each))], used: first.length };
}
