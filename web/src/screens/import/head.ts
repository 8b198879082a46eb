import { isolated } from "../../format/bidi";
import type { Sentence, Word } from "../../parts/sentence";
import type { Choice } from "./constants";
import { hasField, type Kind } from "./kinds";
import { constant, ruled, ruleOf } from "./map";
import type { ImportMap, Preview } from "./preview";
import { saidOf } from "./questions";

/** What the head tells of a file. */
interface Head {
	preview: Preview;
	kind: Kind;
	/** The records and words that each field may have. */
	known: Readonly<Record<string, readonly Choice[]>>;
	answer: (map: ImportMap) => void;
}

/** The fields that the head has words for, what stands before them, and what counts where a map has none. */
const told = [
	{ field: "department", before: " of ", otherwise: "" },
	{ field: "fiscal_year", before: " for ", otherwise: "" },
	{ field: "version", before: ", ", otherwise: "original" },
	{ field: "currency", before: ", in ", otherwise: "" },
] as const;

/** The fields whose choices the head needs. */
export const toldFields: readonly string[] = told.map(({ field }) => field);

/** toldOf says what counts for all rows, each word with a menu: " of Engineering for 2022". What the file has a column for is left out. */
export function toldOf(head: Head): Sentence {
	return [...told.flatMap((each) => wordOf(head, each)), ...unitOf(head)];
}

function wordOf(
	{ preview, kind, known, answer }: Head,
	{ field, before, otherwise }: (typeof told)[number],
): (string | Word)[] {
	const has = kind.fields.find(({ name }) => name === field);
	const choices = [...(known[field] ?? [])];
	if (!has || choices.length === 0 || hasField(preview.map.columns ?? [], field)) return [];
	const held = preview.map.set?.[field] ?? otherwise;
	if (!choices.some(({ value }) => value === held))
		choices.unshift({ value: held, title: held === "" ? "Choose" : isolated(held) });
	const title = choices.find(({ value }) => value === held)?.title ?? "";
	const text = held === "" ? "…" : field === "version" ? title.toLowerCase() : title;
	return [
		before,
		{ label: has.title, text, value: held, choices, choose: (value) => answer(constant(preview.map, field, value)) },
	];
}

const scales = ["1", "1000", "1000000"];

/** The unit of the amounts, unless it is a question. */
function unitOf({ preview, kind, answer }: Head): (string | Word)[] {
	if (!kind.wide || preview.questions.some(({ code }) => code === "scale")) return [];
	const held = ruleOf(preview.map, "scale") || "1";
	const choices = [...new Set([...scales, held])].map((value) => ({ value, title: saidOf("scale", value) }));
	const text = saidOf("scale", held).toLowerCase();
	const choose = (value: string) => answer(ruled(preview.map, "scale", value));
	return [", amounts ", { label: "Amounts are", text, value: held, choices, choose }];
}
