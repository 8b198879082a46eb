import { address } from "../address/address.svelte";
import { wholeNumber } from "../address/number";
import { shownUnit } from "../address/unit.svelte";
import type { components } from "../api/schema";
import type { Month } from "../budget/month";
import { original, versionInSentence, versions, versionTitle } from "../budget/versions";
import { units } from "../format/amounts";
import { isolated } from "../format/bidi";
import { period as periodTitle } from "../format/format";
import type { Sentence, Word } from "../parts/sentence";
import type { Filter, Screen } from "../screens/screens";

/** What there is to choose from. */
export interface Choices {
	screen: Screen | undefined;
	/** The month that the screen shows; undefined if it shows all, or before the first answer. */
	month: Month | undefined;
	years: readonly number[];
	departments: readonly components["schemas"]["Department"][];
	currencies: readonly string[];
}

/** scopeOf returns what the screen is limited to, by its address. */
export function scopeOf(choices: Choices): Sentence {
	const has = (filter: Filter) => choices.screen?.filters.includes(filter) ?? false;
	const parts: (string | Word)[][] = [];
	if (has("dept")) parts.push([department(choices)]);
	if (has("period")) parts.push(when(choices));
	if (has("version")) parts.push(version());
	if (has("currency")) parts.push([parts.length > 0 ? ", in " : "in ", currency(choices)]);
	if (has("unit")) parts.push([parts.length > 0 ? ", " : "", unit()]);
	return parts.flat();
}

/** sentenceOf returns a scope between what the screen says before it and after it, with a capital at its beginning. */
export function sentenceOf(scope: Sentence, before: Sentence = [], after: Sentence = []): Sentence {
	const [first, ...rest] = [...before, ...scope, ...after];
	if (typeof first === "string") return [capital(first), ...rest];
	return first ? [{ ...first, text: capital(first.text) }, ...rest] : [];
}

/** textOf returns a scope as text. */
export function textOf(sentence: Sentence): string {
	return sentence.map((part) => (typeof part === "string" ? part : part.text)).join("");
}

/** wholeOf returns a scope as text, with what the screen's own filters say at its beginning and at its end. */
export function wholeOf(sentence: Sentence, before = "", after = ""): string {
	const text = textOf(sentence);
	return capital(`${before}${before && text ? " " : ""}${text}${after}`);
}

/** titleOf returns what a title says beside the name of the screen: the period and the department. */
export function titleOf({ screen, month, departments }: Choices): string[] {
	const dept = screen?.filters.includes("dept") ? address.get("dept") : "";
	return [
		screen?.filters.includes("period") && month ? periodTitle(month.year, month.period) : "",
		dept && nameOf(departments, dept),
	].filter(Boolean);
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function nameOf(departments: Choices["departments"], code: string): string {
	return isolated(departments.find((d) => d.code === code)?.name ?? code);
}

/** A value of the address is a choice even if no record has it. */
function including<T>(choices: readonly T[], chosen: T | undefined): readonly T[] {
	return chosen === undefined || choices.includes(chosen) ? choices : [chosen, ...choices];
}

function department({ departments }: Choices): Word {
	const chosen = address.get("dept");
	const codes = including(
		departments.map(({ code }) => code),
		chosen || undefined,
	);
	const title = (code: string) => {
		const name = departments.find((d) => d.code === code)?.name;
		return name ? `${isolated(name)} ${code}` : code;
	};
	return {
		label: "Department",
		text: chosen ? nameOf(departments, chosen) : "all departments",
		value: chosen,
		choices: [{ value: "", title: "All departments" }, ...codes.map((code) => ({ value: code, title: title(code) }))],
		choose: (dept) => address.change({ dept }),
	};
}

const periods = Array.from({ length: 12 }, (_, i) => String(i + 1));
const periodName = (number: string) => (periods.includes(number) ? `P${number.padStart(2, "0")}` : number);

/** The year and the period, as "in P05 2026", or "in all periods of 2026" on a screen that shows all. */
function when({ screen, month, years }: Choices): (string | Word)[] {
	const every = screen?.period === "all";
	const year = address.get("year") || (every ? "" : String(month?.year ?? ""));
	const period = address.get("period") || (every ? "" : String(month?.period ?? ""));
	// A period needs its year, so the address names both or neither.
	const choose = (name: "year" | "period", value: string) => {
		if (!value) return address.change(name === "year" ? { year: "", period: "" } : { period: "" });
		address.change({ year, period, [name]: value });
	};
	const strange = (value: string, known: readonly string[]) => value !== "" && !known.includes(value);
	const none = (name: string, value: string, known: readonly string[]) =>
		every || strange(value, known) ? [{ value: "", title: every ? `All ${name}` : "Newest" }] : [];
	const known = years.map(String);
	const periodWord: Word = {
		label: "Period",
		text: period ? periodName(period) : every ? "all periods" : "…",
		value: period,
		choices: [
			...none("periods", period, periods),
			...including(periods, period || undefined).map((value) => ({ value, title: periodName(value) })),
		],
		disabled: !year && !period,
		choose: (value) => choose("period", value),
	};
	const yearWord: Word = {
		label: "Year",
		text: year || (every ? (period ? "every year" : "all years") : "…"),
		value: year,
		choices: [
			...none("years", year, known),
			...including(years, year ? wholeNumber(year) : undefined).map((y) => ({ value: String(y), title: String(y) })),
		],
		choose: (value) => choose("year", value),
		steps: true,
	};
	if (every && !year && !period) return [" in ", yearWord];
	return [" in ", periodWord, every && !(year && period) ? " of " : " ", yearWord];
}

function version(): (string | Word)[] {
	const chosen = address.get("version") || original;
	const [the, text] = chosen === original ? ["the ", "original budget"] : ["", isolated(versionInSentence(chosen))];
	const word = {
		label: "Version",
		text,
		value: chosen,
		choices: including<string>(versions, chosen).map((value) => ({ value, title: versionTitle(value) })),
		choose: (value: string) => address.change({ version: value === original ? "" : value }),
	};
	return [` against ${the}`, word];
}

function currency({ currencies }: Choices): Word {
	const chosen = address.get("currency");
	return {
		label: "Currency",
		text: isolated(chosen) || "all currencies",
		value: chosen,
		choices: [
			{ value: "", title: "All currencies" },
			...including(currencies, chosen || undefined).map((value) => ({ value, title: value })),
		],
		choose: (value) => address.change({ currency: value }),
	};
}

function unit(): Word {
	const { current } = shownUnit;
	return {
		label: "Amounts",
		text: current === "exact" ? "exact" : `in ${current}`,
		value: current,
		choices: units.map(({ unit, title }) => ({ value: unit, title })),
		choose: (value) => shownUnit.choose(value),
	};
}
