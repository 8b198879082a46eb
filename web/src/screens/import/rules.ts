import type { Kind } from "./kinds";
import { ruleOf } from "./map";
import type { Preview } from "./preview";
import { saidOf } from "./questions";

interface Rule {
	code: string;
	title: string;
	/** What counts in a map without the rule; "" where the file shows it. */
	otherwise: string;
	choices: { value: string; title: string }[];
}

/** What a reader may change of how a file is read, beside its columns. Those of questions have their answers. */
const all: readonly { code: string; title: string; values: readonly string[]; where?: (at: Where) => boolean }[] = [
	{ code: "form", title: "Form", values: ["long", "wide"], where: ({ kind }) => !!kind.wide },
	{ code: "decimal_mark", title: "Decimal mark", values: [".", ","] },
	{ code: "scale", title: "Amounts are", values: ["1", "1000", "1000000"], where: ({ kind }) => !!kind.wide },
	{ code: "date_order", title: "Dates as 3/4/2026", values: ["dmy", "mdy"], where: ({ kind }) => kind.id === "trades" },
	{
		code: "timezone",
		title: "Times without a zone",
		values: ["UTC", "Europe/London", "Europe/Berlin", "Europe/Stockholm", "America/New_York", "Asia/Tokyo"],
		where: ({ kind }) => kind.id === "trades",
	},
	{ code: "round", title: "More decimals than fit", values: ["2", "4", "refuse"], where: asked },
	{
		code: "year_starts",
		title: "The fiscal year begins in",
		values: Array.from({ length: 12 }, (_, i) => String(i + 1)),
		where: asked,
	},
	{ code: "sign_rule", title: "Debit and credit", values: ["by_type", "debit_credit", "credit_debit"], where: asked },
	{ code: "minor_unit", title: "Prices in hundredths", values: ["divide", "refuse"], where: asked },
	{ code: "row_order", title: "Trades of one time", values: ["newest_first", "as_written"], where: asked },
	{ code: "fill_down", title: "Merged cells", values: ["repeat", "empty"], where: asked },
	{ code: "suffix_m", title: "The letter m", values: ["thousand", "million"], where: asked },
	{ code: "dash", title: "A dash alone", values: ["zero", "empty"], where: asked },
	{ code: "other_mark", title: "Numbers with the other mark", values: ["wrong", "decimal"], where: asked },
	{
		code: "total",
		title: "The total of a row",
		values: ["check", "ignore"],
		where: ({ preview }) => preview.map.form === "wide",
	},
	{
		code: "duplicates",
		title: "The same key twice",
		values: ["refuse", "last", "sum"],
		where: ({ kind }) => kind.id !== "trades",
	},
	{
		code: "existing",
		title: "Stored already",
		values: ["replace", "skip", "refuse"],
		where: ({ kind }) => kind.id !== "trades",
	},
	{
		code: "existing",
		title: "Stored already",
		values: ["skip", "add", "refuse"],
		where: ({ kind }) => kind.id === "trades",
	},
	{ code: "match", title: "Rows with an id", values: ["", "id"], where: named },
	{ code: "empty", title: "An empty cell", values: ["keep", "clear"] },
	{ code: "encoding", title: "Encoding", values: ["utf-8", "windows-1252", "utf-16le", "utf-16be"], where: asked },
	{ code: "delimiter", title: "Columns are separated by", values: [",", ";", "\t", "|"], where: asked },
];

interface Where {
	preview: Preview;
	kind: Kind;
	code: string;
}

/** Rules whose first choice counts where a map does not say anything. */
const withDefault = ["scale", "timezone", "total", "duplicates", "existing", "empty", "other_mark"];

/** A rule that most files do not need shows where the file has it. */
function asked({ preview, code }: Where): boolean {
	return ruleOf(preview.map, code) !== "";
}

/** A file may name stored records by their ids, but not in the wide form. */
function named({ preview }: Where): boolean {
	return (
		preview.map.form !== "wide" &&
		(preview.map.match !== undefined || preview.columns.some(({ header }) => header.trim().toLowerCase() === "id"))
	);
}

/** rulesOf returns the rules of a file. An open question stands above, not here. */
export function rulesOf(preview: Preview, kind: Kind): Rule[] {
	const open: string[] = preview.questions.map(({ code }) => code);
	const rules = all
		.filter(({ code, where }) => !open.includes(code) && (where?.({ preview, kind, code }) ?? true))
		.map(({ code, title, values }) => ({
			code,
			title,
			otherwise: withDefault.includes(code) ? (values[0] ?? "") : "",
			choices: values.map((value) => ({ value, title: saidOf(code, value) })),
		}));
	const sheets = preview.file.sheets;
	if (sheets.length > 1 && !open.includes("sheet"))
		rules.unshift({
			code: "sheet",
			title: "Sheet",
			otherwise: "",
			choices: sheets.map(({ name }) => ({ value: name, title: name })),
		});
	return rules;
}
