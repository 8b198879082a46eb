import { expect, test } from "vitest";
import glossary from "../../manual/glossary.md?raw";
import { sorted, termsOf, usedOn } from "./glossary";

test("each term that a screen uses is in the glossary, with a meaning", () => {
	const terms = termsOf(glossary);
	const named = new Set(terms.map(({ term }) => term));
	expect(Object.values(usedOn).flatMap((used) => used.filter((term) => !named.has(term)))).toEqual([]);
	expect(terms.filter(({ text }) => text.length < 20 || /[*`\n]/.test(text))).toEqual([]);
	expect(terms.length).toBe(glossary.match(/^\*\*/gm)?.length);
});

test("the terms of a screen come first, and all others follow", () => {
	const terms = termsOf("# G\n\n**Variance.** One\nthing.\n\n**Mark.** `A` price.\n\n**Trade.** A deal.");
	const { terms: all, used } = sorted(terms, "trades");
	expect([all, used]).toEqual([
		[
			{ term: "Trade", text: "A deal." },
			{ term: "Mark", text: "A price." },
			{ term: "Variance", text: "One thing." },
		],
		2,
	]);
});

test("each question mark beside a term on the screens leads to its meaning", () => {
	const sources = import.meta.glob<string>("../screens/**/*.svelte", { query: "?raw", import: "default", eager: true });
	const named = new Set(termsOf(glossary).map(({ term }) => term));
	const marks = Object.entries(sources).flatMap(([file, text]) =>
		[...text.matchAll(/<Term of="([^"]+)"/g)].map(([, term = ""]) => ({ file, term })),
	);
	expect(marks.length).toBeGreaterThan(5);
	expect(marks.filter(({ term }) => !named.has(term))).toEqual([]);
});
