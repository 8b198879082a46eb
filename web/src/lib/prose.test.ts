import { expect, it } from "vitest";
import { blocksOf } from "./prose";

const text = (words: string) => ({ kind: "text", text: words });
const code = (words: string) => ({ kind: "code", text: words });

it("reads paragraphs, which go on over lines, with code and strong words in them", () => {
	expect(blocksOf("One `GET`\nand **two**.\n\nThree.\n")).toEqual([
		{
			kind: "paragraph",
			words: [text("One "), code("GET"), text(" and "), { kind: "strong", text: "two" }, text(".")],
		},
		{ kind: "paragraph", words: [text("Three.")] },
	]);
});

it("reads headings, lists, tables and code", () => {
	const blocks = blocksOf(
		"## Errors\nSome.\n\n- one\n  more\n- two\n\n    id: 1\n    data: {}\n\n| A | B |\n|---|---|\n| 1 | `2` |\n",
	);
	expect(blocks).toEqual([
		{ kind: "heading", words: [text("Errors")] },
		{ kind: "paragraph", words: [text("Some.")] },
		{ kind: "list", items: [[text("one more")], [text("two")]] },
		{ kind: "code", text: "id: 1\ndata: {}" },
		{ kind: "table", head: [[text("A")], [text("B")]], rows: [[[text("1")], [code("2")]]] },
	]);
});

it("takes all else as text, a tag too", () => {
	expect(blocksOf("<b>1 < 2</b> * 3")).toEqual([{ kind: "paragraph", words: [text("<b>1 < 2</b> * 3")] }]);
	expect(blocksOf("")).toEqual([]);
});
