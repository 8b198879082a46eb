import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "svelte/compiler";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "src");

interface Node {
	type: string;
	start: number;
	[field: string]: unknown;
}

/** The methods of a Map and a Set whose first argument is a key. */
const keyed = new Set(["get", "set", "has", "add", "delete"]);

/**
 * keysOf returns the expressions of a node that are keys: of an {#each}, of a property that is a key or names a line
 * in an address, of a Map or a Set, and in brackets.
 */
function keysOf(node: Node): unknown[] {
	switch (node.type) {
		case "EachBlock":
		case "KeyBlock":
			return [node.key ?? node.expression];
		case "Attribute":
			return node.name === "key" ? [node] : [];
		case "Property":
			return ["key", "line"].includes(nameOf(node.key)) ? [node.value] : [];
		case "VariableDeclarator":
			return named(node.id) ? [node.init] : [];
		case "FunctionDeclaration":
		case "MethodDefinition":
			return named(node.id ?? node.key) ? [node.body ?? node.value] : [];
		case "MemberExpression":
			return node.computed ? [node.property] : [];
		case "CallExpression": {
			const callee = node.callee as Node;
			const method = callee.type === "MemberExpression" && keyed.has(nameOf(callee.property));
			return method ? [(node.arguments as Node[])[0]] : [];
		}
		default:
			return [];
	}
}

const nameOf = (node: unknown) => String((node as { name?: unknown } | null)?.name ?? "");
const named = (node: unknown) => nameOf(node) !== "compoundKey" && /^key(Of)?$|Key$/.test(nameOf(node));

/** joins reports whether an expression joins texts without compoundKey. */
function joins(node: Node): boolean {
	if (node.type === "Attribute" && Array.isArray(node.value) && node.value.length > 1) return true;
	if (node.type === "TemplateLiteral") return (node.expressions as Node[]).length > 0;
	if (node.type === "BinaryExpression" && node.operator === "+") return !numeric(node.right) && !numeric(node.left);
	if (node.type === "CallExpression") {
		const callee = node.callee as Node;
		if (nameOf(callee) === "compoundKey") return false;
		if (callee.type === "MemberExpression" && ["join", "concat"].includes(nameOf(callee.property))) return true;
	}
	return children(node).some(joins);
}

const numeric = (node: unknown) => typeof (node as { value?: unknown }).value === "number";

function children(node: Node): Node[] {
	return Object.values(node)
		.flat()
		.filter((each): each is Node => typeof (each as Node | null)?.type === "string");
}

/** faults returns the lines of a file with a key of joined texts. */
function faults(text: string, svelte: boolean): string[] {
	const whole = svelte ? text : `<script lang="ts">${text}</script>`;
	const found = new Set<number>();
	const visit = (node: Node) => {
		for (const key of keysOf(node).flat() as (Node | null | undefined)[])
			if (key?.type && joins(key)) found.add(whole.slice(0, key.start).split("\n").length);
		for (const child of children(node)) visit(child);
	};
	const { fragment, instance, module } = parse(whole, { modern: true });
	for (const part of [fragment, instance?.content, module?.content]) if (part) visit(part as unknown as Node);
	return [...found].sort((a, b) => a - b).map((line) => `${line}: ${whole.split("\n")[line - 1]?.trim()}`);
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
	(name) => /\.(svelte|ts)$/.test(name) && !/\.test\.|^api\/schema\.ts$/.test(name),
);

test.each(files)("no key of %s is made of texts that are only put together", (name) => {
	expect(faults(readFileSync(join(source, name), "utf8"), name.endsWith(".svelte"))).toEqual([]);
});

test.each([
	"{#each rows as row (`${row.a} ${row.b}`)}{/each}",
	"{#each rows as row (row.a + row.b)}{/each}",
	'{#each rows as row ([row.a, row.b].join(" "))}{/each}',
	"{#each rows as row (String(row.a + row.b))}{/each}",
	"{#if true}<Table key={(row) => `${row.a} ${row.b}`} />{/if}",
	'<Table key="{a} {b}" />',
	"<script>const key = (row) => `${row.a} ${row.b}`;</script>",
	"<script>function keyOf(row) { return row.a + row.b; }</script>",
	"<script>const rows = [{ key: a + b }];</script>",
	"<script>new Map().set(`${a} ${b}`, 1);</script>",
	"<script>const found = record[`${a} ${b}`];</script>",
])("a key of joined texts would be noticed: %s", (text) => {
	expect(faults(text, true)).toHaveLength(1);
});

test.each([
	"{#each rows as row (compoundKey([row.a, row.b]))}{/each}",
	"{#each rows as row, i (i)}{/each}",
	"{#each rows as row (row.id)}<p>{`${row.a} ${row.b}`}</p>{/each}",
	"<script>const before = rows[i + 1];</script>",
])("a key that is one is not taken for joined texts: %s", (text) => {
	expect(faults(text, true)).toEqual([]);
});
