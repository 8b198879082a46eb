import type { Parameters } from "../../address/address.svelte";
import { compoundKey } from "../../address/compoundKey";
import { pathOf } from "../../api/request";
import type { components } from "../../api/schema";
import { whole } from "../../format/format";

export type Quality = components["schemas"]["Quality"];
export type Finding = components["schemas"]["Finding"];

/** A kind of findings, and what to do about it. */
export interface Kind {
	title: string;
	/** Why it matters, and how to correct it. */
	mend: string;
	/** What is counted, if not records. */
	count?: string;
	/** Where to see or correct it. */
	place: (finding: Finding) => Place;
}

/** A screen with filters, or a path of the API for records without a screen. */
export type Place = { screen: string; parameters: Parameters } | { path: string };

const kinds: Record<string, Kind> = {
	doubtful_currency: {
		title: "Doubtful currency codes",
		mend: "The code is neither registered nor in ISO 4217, so it may be a typing error. Register it, or correct the records.",
		place: usesOf,
	},
	budget_without_actual: {
		title: "Budgets without actuals",
		count: "Periods",
		mend: "The period has passed without an actual. A feed may have missed it.",
		place: (finding) => ({ screen: "variance", parameters: lineOf(finding) }),
	},
	unbudgeted_actual: {
		title: "Unbudgeted actuals",
		count: "Periods",
		mend: "An actual has no budget line. It may be on the wrong account, or the budget may be incomplete.",
		place: (finding) =>
			finding.subject.fiscal_period === undefined
				? { screen: "variance", parameters: lineOf(finding) }
				: { screen: "actuals", parameters: postedOf(finding) },
	},
	ambiguous_name: {
		title: "Ambiguous names",
		mend: "Only the code or id tells these apart. Rename one of them.",
		place: ({ subject }) => ({
			screen: "reference",
			// Sorting by name puts equal names together.
			parameters: { view: subject.company === undefined ? "departments" : "companies", sort: "name" },
		}),
	},
	favour_high_against_type: {
		title: "Contra accounts, and accounts that are counted the other way",
		mend: "A contra account is deducted from revenue, so a low actual is good: that is in order. Other accounts here are likely to be set the wrong way, and then a good variance is shown as a bad one.",
		place: ({ subject }) => ({ screen: "reference", parameters: { view: "accounts", only: subject.gl_code ?? "" } }),
	},
};

/** kindOf describes a kind. An unknown kind gets a title made from its id. */
export function kindOf(id: string): Kind {
	return (
		kinds[id] ?? {
			title: id.charAt(0).toUpperCase() + id.slice(1).replaceAll("_", " "),
			mend: "",
			place: (finding) => ({ screen: "variance", parameters: lineOf(finding) }),
		}
	);
}

/** usesOf returns the place of the records in a currency. */
function usesOf({ subject: { currency = "", entity } }: Finding): Place {
	if (entity === "budget_lines") return { path: pathOf("/api/v1/budgets", { currency }) };
	const parameters = { currency, dept: "", year: "", period: "" };
	return { screen: entity === "actuals" ? "actuals" : "trades", parameters };
}

/** lineOf returns the parameters of a variance line. */
function lineOf(finding: Finding): Parameters {
	// The findings are about the original version.
	return { ...keyOf(finding), version: "", line: compoundKey([finding.subject.gl_code ?? ""]) };
}

/** postedOf returns the parameters of a line's actuals. */
function postedOf(finding: Finding): Parameters {
	return { ...keyOf(finding), gl_code: finding.subject.gl_code ?? "" };
}

function keyOf({ subject }: Finding): Parameters {
	return {
		dept: subject.department ?? "",
		currency: subject.currency ?? "",
		year: subject.fiscal_year === undefined ? "" : String(subject.fiscal_year),
		period: subject.fiscal_period === undefined ? "" : String(subject.fiscal_period),
	};
}

/** The findings of one kind, the most severe first. */
export interface Group {
	kind: string;
	severity: string;
	findings: Finding[];
}

/**
 * grouped groups findings by kind. The server sorts findings by severity, and kinds keep the order of their first
 * finding.
 */
export function grouped({ items }: Quality): Group[] {
	const groups = new Map<string, Finding[]>();
	for (const finding of items) groups.set(finding.kind, [...(groups.get(finding.kind) ?? []), finding]);
	return [...groups].map(([kind, findings]) => ({ kind, severity: findings[0]?.severity ?? "", findings }));
}

/** countOf prints how many findings `some` are. A kind that is listed up to the server's limit may have more. */
export function countOf(some: readonly Finding[], all: Quality): string {
	const limited = grouped(all).filter(({ findings }) => findings.length >= all.limit);
	const more = some.some(({ kind }) => limited.some((group) => group.kind === kind));
	return more ? `${whole(some.length)} or more` : whole(some.length);
}

/** counted prints how many findings there are of each severity, the most severe first. */
export function counted(all: Quality): { severity: string; count: string }[] {
	const severities = [...new Set(all.items.map(({ severity }) => severity))];
	return severities.map((severity) => ({
		severity,
		count: countOf(
			all.items.filter((finding) => finding.severity === severity),
			all,
		),
	}));
}
