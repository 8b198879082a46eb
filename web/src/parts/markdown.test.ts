import { render } from "svelte/server";
import { expect, test } from "vitest";
import Markdown from "./Markdown.svelte";

/** print returns the HTML of a Markdown text without the comments and classes of Svelte. */
function print(text: string): string {
	const { body } = render(Markdown, { props: { text } });
	return body.replace(/<!--.*?-->/gs, "").replace(/ class="[^"]*"/g, "");
}

test("renders paragraphs, headings, lists, tables and code", () => {
	expect(print("## Errors\nOne `GET`\nand **two**, *three*.\n\n- a\n- b_c_d\n\n1. c\n\nd\n\n    id: 1")).toBe(
		"<div><h3>Errors</h3><p>One <code>GET</code>\nand <strong>two</strong>, <em>three</em>.</p>" +
			"<ul><li>a</li><li>b_c_d</li></ul><ol><li>c</li></ol><p>d</p><pre><code>id: 1</code></pre></div>",
	);
	expect(print("| A | B |\n|---|---|\n| 1 | `2` |")).toContain(
		"<tbody><tr><td>1</td><td><code>2</code></td></tr></tbody>",
	);
});

test("renders links to pages only", () => {
	expect(print("[a](https://example.com/b) [c](#/api)")).toBe(
		'<div><p><a href="https://example.com/b">a</a> <a href="#/api">c</a></p></div>',
	);
	expect(print("[a](javascript:hit) [b](data:text/html,x)")).toBe("<div><p>a b</p></div>");
});

test("renders HTML and other Markdown as text", () => {
	expect(print("<b>1 < 2</b> * 3 <img src=x onerror=hit>")).toBe(
		"<div><p>&lt;b>1 &lt; 2&lt;/b> * 3 &lt;img src=x onerror=hit></p></div>",
	);
	expect(print("<script>hit()</script>")).toBe("<div>&lt;script>hit()&lt;/script></div>");
	expect(print("![words](https://example.com/a.png)")).toBe("<div><p>words</p></div>");
	expect(print("")).toBe("<div></div>");
});

test("headings get anchors, and links get other targets, if the properties say so", () => {
	const { body } = render(Markdown, {
		props: {
			text: "# One two\n[a](b.md)",
			anchor: (words: string) => words.toLowerCase(),
			link: () => "#/help?view=b",
		},
	});
	expect(body).toContain('id="one two"');
	expect(body).toContain('<a href="#/help?view=b">');
});
