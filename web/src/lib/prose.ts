/** Words within a block; code and strong ones are marked. */
export interface Words {
	kind: "text" | "code" | "strong";
	text: string;
}

/** A block of a text that is written as the interface's document writes its descriptions. */
export type Block =
	| { kind: "paragraph"; words: Words[] }
	| { kind: "heading"; words: Words[] }
	| { kind: "list"; items: Words[][] }
	| { kind: "code"; text: string }
	| { kind: "table"; head: Words[][]; rows: Words[][][] };

/** blocksOf reads paragraphs, headings, lists, tables and code, which blank lines part; all else is text. */
export function blocksOf(text: string): Block[] {
	const parts = text.split(/\n\s*\n/).filter((part) => part.trim() !== "");
	return parts.flatMap((part) => {
		const lines = part.replace(/^\n+|\s+$/g, "").split("\n");
		const heading = /^#+ (.*)/.exec(lines[0] ?? "")?.[1];
		if (heading === undefined) return [blockOf(lines)];
		const rest = lines.slice(1);
		return [{ kind: "heading" as const, words: wordsOf(heading) }, ...(rest.length > 0 ? [blockOf(rest)] : [])];
	});
}

function blockOf(lines: string[]): Block {
	const [first = ""] = lines;
	if (first.startsWith("- ")) return { kind: "list", items: itemsOf(lines).map(wordsOf) };
	if (first.startsWith("|")) {
		const [head = [], , ...rows] = lines.map(cellsOf);
		return { kind: "table", head, rows };
	}
	if (lines.every((line) => line.startsWith("    ")))
		return { kind: "code", text: lines.map((line) => line.slice(4)).join("\n") };
	return { kind: "paragraph", words: wordsOf(lines.map((line) => line.trim()).join(" ")) };
}

function itemsOf(lines: string[]): string[] {
	const items: string[] = [];
	for (const line of lines) {
		if (line.startsWith("- ")) items.push(line.slice(2));
		else items.push(`${items.pop() ?? ""} ${line.trim()}`);
	}
	return items;
}

function cellsOf(line: string): Words[][] {
	return line
		.replace(/^\||\|\s*$/g, "")
		.split("|")
		.map((cell) => wordsOf(cell.trim()));
}

function wordsOf(text: string): Words[] {
	return text
		.split(/(`[^`]+`|\*\*[^*]+\*\*)/)
		.filter(Boolean)
		.map((part): Words => {
			if (/^`.+`$/.test(part)) return { kind: "code", text: part.slice(1, -1) };
			if (/^\*\*.+\*\*$/.test(part)) return { kind: "strong", text: part.slice(2, -2) };
			return { kind: "text", text: part };
		});
}
