import { numberAs } from "./figures";
import type { Place, Question } from "./preview";

/** An answer as the reader sees it. */
export interface Reading {
	value: string;
	/** What the answer is, or how the first cell reads under it. */
	title: string;
	/** What the answer is, where the title is a cell. */
	means: string;
	/** Where else it counts. */
	cells: string;
	proposed: boolean;
	/** The rows add up to their totals under this answer only. */
	fits: boolean;
}

const titles: Record<string, string> = {
	delimiter: "What separates the columns?",
	encoding: "Which encoding has the file?",
	sheet: "Which sheet is it?",
	header_row: "Which row has the names of the columns?",
	decimal_mark: "What is the mark in %s?",
	round: "To how many decimals are the numbers rounded?",
	suffix_m: "What does the letter m behind a number mean?",
	dash: "What does a dash alone mean?",
	scale: "In which unit are the amounts?",
	date_order: "Which comes first in %s, the day or the month?",
	century: "In which century are years of two digits?",
	year_starts: "In which month does the fiscal year begin?",
	sign_rule: "Which sign do debit and credit have?",
	minor_unit: "Are the prices in hundredths of the currency?",
	row_order: "In which order did trades of the same time happen?",
	fill_down: "What does a merged cell mean?",
	duplicates: "Several rows have the same key. What counts?",
};

/** titleOf returns a question in the words of its file. */
export function titleOf({ code, cells }: Question): string {
	return (titles[code] ?? "What is meant?").replace("%s", `“${cells[0]?.value ?? ""}”`);
}

/** What of a message is a number, by question. */
const numbersIn: Record<string, RegExp> = {
	round: /(?<= changes by )-?\d+(\.\d+)?/g,
	duplicates: /(?<=[(] ?|, )-?\d+(\.\d+)?(?=[^()]* in all)/g,
};

/** messageOf returns what a question is about, with its numbers as the page prints them. Both readings of a cell stand below it. */
export function messageOf({ code, message }: Question): string {
	if (code === "decimal_mark") return message.replace(/, which is \S+ or \S+(?=[.]( |$))/, "");
	if (code === "year_starts") return message.replace(", as a number", "");
	if (code === "header_row") return message.replace(/ Say which line .*$/, "");
	if (code === "column") return message.replace(/ The value sign .*$/, "");
	const numbers = numbersIn[code];
	return numbers ? message.replace(numbers, numberAs) : message;
}

const month = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });

const said: Record<string, (value: string) => string> = {
	delimiter: (value) => ({ ",": "A comma", ";": "A semicolon", "\t": "A tab", "|": "A vertical bar" })[value] ?? value,
	encoding: (value) => ({ "windows-1252": "Windows-1252 (Western European)", "utf-8": "UTF-8" })[value] ?? value,
	header_row: (value) => (value === "0" ? "None of them: the file has no names of columns" : `Line ${value}`),
	decimal_mark: (value) =>
		value === "." ? "a point is the decimal mark of the file" : "a comma is the decimal mark of the file",
	round: (value) => (value === "refuse" ? "Not at all: these rows are wrong" : `${value} decimals`),
	suffix_m: (value) => (value === "million" ? "millions" : "thousands"),
	dash: (value) => (value === "zero" ? "zero" : "nothing: the cell is empty"),
	scale: (value) =>
		({ "1": "As they are written", "1000": "In thousands", "1000000": "In millions" })[value] ?? `Times ${value}`,
	date_order: (value) => (value === "dmy" ? "the day comes first" : "the month comes first"),
	century: (value) => `From ${value} to ${Number(value) + 99}`,
	year_starts: (value) => month.format(Date.UTC(2000, Number(value) - 1)),
	sign_rule: (value) =>
		({
			by_type: "By the account: a cost is debit minus credit, a revenue is credit minus debit",
			debit_credit: "Always debit minus credit",
			credit_debit: "Always credit minus debit",
		})[value] ?? value,
	minor_unit: (value) => (value === "divide" ? "Yes: divide them by 100" : "No: these rows are wrong"),
	row_order: (value) =>
		value === "newest_first" ? "The newest is first, as in the rest of the file" : "In the order of the file",
	fill_down: (value) =>
		value === "repeat" ? "It counts for all rows that it spans" : "It counts for its first row only",
	duplicates: (value) =>
		({ sum: "Their sum", last: "The last of them", refuse: "None: these rows are wrong" })[value] ?? value,
	form: (value) => (value === "wide" ? "A column for each period" : "A row for each amount"),
	other_mark: (value) => (value === "decimal" ? "are read with it" : "are wrong"),
	total: (value) => (value === "ignore" ? "is not looked at" : "is compared with its sum"),
	existing: (value) =>
		({ replace: "gets the new values", skip: "is skipped", refuse: "is wrong", add: "is added again" })[value] ?? value,
	match: (value) => (value === "id" ? "correct the record with this id" : "are new, or found by their key"),
	empty: (value) => (value === "clear" ? "empties what is stored" : "leaves what is stored"),
};

/** saidOf returns an answer in words. */
export function saidOf(code: string, value: string): string {
	return capital(said[code]?.(value) ?? value);
}

/** readingsOf returns the answers of a question side by side. */
export function readingsOf(question: Question): Reading[] {
	return question.choices.map(({ value, cells, fits = false }) => {
		const means = said[question.code]?.(value) ?? value;
		if (question.code === "header_row" && cells.length > 0) {
			const title = cells.map((cell) => cell.value).join(" · ");
			return { value, title, means, cells: "", proposed: value === question.proposed, fits };
		}
		const [first, ...more] = cells.map((cell) => ({
			...cell,
			value: figured.includes(question.code) ? numberAs(cell.value) : cell.value,
		}));
		return {
			value,
			title: first ? first.value : capital(means),
			means: first ? means : "",
			cells: first ? sentence(first, more) : "",
			proposed: value === question.proposed,
			fits,
		};
	});
}

/** Questions whose readings are numbers. */
const figured = ["decimal_mark", "round", "minor_unit", "duplicates"];

/** The most cells that an answer names. */
const most = 3;

function sentence(first: Place, more: readonly Place[]): string {
	const others = more.slice(0, most - 1).map(({ line, value }) => `line ${line}: ${value}`);
	const left = more.length - others.length;
	const where = [`Line ${first.line}${first.column ? `, ${first.column}` : ""}`, ...others];
	return `${where.join(" · ")}${left > 0 ? ` · and ${left} more` : ""}`;
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
