import type { Parameters } from "../../address/address.svelte";
import { compound } from "../../address/compoundKey";
import { pathOf } from "../../api/request";
import type { components } from "../../api/schema";
import { whole } from "../../format/format";

export type Quality = components["schemas"]["Quality"];
export type Finding = components["schemas"]["Finding"];

/** A kind of findings, and what it means to whoever mends it. */
export interface Kind {
	title: string;
	/** Why it matters, and what mends it. */
	mend: string;
	/** What a finding is counted in, where that is not records. */
	count?: string;
	/** Where it is mended or seen. */
	place: (finding: Finding) => Place;
}

/** A screen that is narrowed, or what the interface lists that no screen does. */
export type Place = { screen: string; parameters: Parameters } | { path: string };

const kinds: Record<string, Kind> = {
	doubtful_currency: {
		title: "Doubtful currency codes",
		mend: "A code that is neither registered nor of ISO 4217 may be a slip of the pen. Register it, or correct the records.",
		place: usesOf,
	},
	budget_without_actual: {
		title: "Budgets without actuals",
		count: "Periods",
		mend: "The period has passed, and nothing was booked on the line: a feed may have missed it.",
		place: (finding) => ({ screen: "variance", parameters: lineOf(finding) }),
	},
	unbudgeted_actual: {
		title: "Unbudgeted actuals",
		count: "Periods",
		mend: "Something was booked that nobody planned: it may be on a wrong account, or the plan is not complete.",
		place: (finding) =>
			finding.subject.fiscal_period === undefined
				? { screen: "variance", parameters: lineOf(finding) }
				: { screen: "actuals", parameters: postedOf(finding) },
	},
	ambiguous_name: {
		title: "Ambiguous names",
		mend: "What shares its name is told apart by its code or number only. Rename one of them.",
		place: ({ subject }) => ({
			screen: "reference",
			// Those of one name stand together.
			parameters: { view: subject.company === undefined ? "departments" : "companies", sort: "name" },
		}),
	},
	favour_high_against_type: {
		title: "Accounts whose direction goes against their type",
		mend: "Revenue usually favours a high actual, a cost a low one. Where it is not meant so, favourable is read as unfavourable.",
		place: ({ subject }) => ({ screen: "reference", parameters: { view: "accounts", only: subject.gl_code ?? "" } }),
	},
};

/** kindOf says what a kind means; one that is not known here speaks for itself. */
export function kindOf(id: string): Kind {
	return (
		kinds[id] ?? {
			title: id.charAt(0).toUpperCase() + id.slice(1).replaceAll("_", " "),
			mend: "",
			place: (finding) => ({ screen: "variance", parameters: lineOf(finding) }),
		}
	);
}

/** usesOf leads to the records that are in a currency. */
function usesOf({ subject: { currency = "", entity } }: Finding): Place {
	if (entity === "budget_lines") return { path: pathOf("/api/v1/budgets", { currency }) };
	const parameters = { currency, dept: "", year: "", period: "" };
	return { screen: entity === "actuals" ? "actuals" : "trades", parameters };
}

/** lineOf leads to a line of the variance. */
function lineOf(finding: Finding): Parameters {
	return { ...keyOf(finding), line: compound([finding.subject.gl_code ?? ""]) };
}

/** postedOf leads to the actuals of a line. */
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

/** grouped puts findings by kind. The server sorts findings by severity, and kinds keep the order of their first. */
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
