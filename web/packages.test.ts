import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fontsOf, partsOf } from "./packages.ts";

let root = "";

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "daybook-"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** add writes a package with files beside its package.json. */
function add(name: string, files: Record<string, string>) {
	const all = { "package.json": JSON.stringify({ name, version: "1.2.3" }), ...files };
	for (const [file, content] of Object.entries(all)) {
		const path = join(root, "node_modules", name, file);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, content);
	}
}
const moduleOf = (path: string) => `${root}/node_modules/${path}`;
const parts = (ids: string[]) => partsOf(root, ids);

test("what is in the page is listed once, with its licences and notices, and the page's own code is not", () => {
	add("plain", { LICENSE: "plain's", "license.js": "code" });
	add("@scope/many", { "licence.md": "many's", NOTICE: "notice", "licenses/LICENSE-d3": "d3's" });
	add("tool", { COPYING: "tool's" });
	add("unused", {});
	const ids = [
		moduleOf("plain/a.js"),
		moduleOf("plain/lib/b.css?used"),
		moduleOf("@scope/many/index.js"),
		`${root}/src/main.ts`,
		"\0tool/runtime.js",
		"\0nothing",
	];
	expect(parts(ids)).toEqual([
		{ name: "@scope/many 1.2.3", texts: ["notice", "many's", "d3's"] },
		{ name: "plain 1.2.3", texts: ["plain's"] },
		{ name: "tool 1.2.3", texts: ["tool's"] },
	]);
});

test("a package without a licence text, or with an empty one, ends the build", () => {
	add("plain", { LICENSE: "plain's" });
	add("bare", { "README.md": "MIT" });
	add("empty", { LICENSE: " \n" });
	add("noted", { NOTICE: "by me", "license.js": "code" });
	const ids = ["plain", "bare", "empty", "noted"].map((name) => moduleOf(`${name}/index.js`));
	expect(() => parts(ids)).toThrow("There is no licence text in bare 1.2.3,empty 1.2.3,noted 1.2.3.");
});

test("a package that was built from others ends the build: their licences are not in its folder", () => {
	const sources = ["webpack://x/node_modules/y/node_modules/@a/deep/b.js", "../src/own.js"];
	add("outer", { LICENSE: "outer's", "bundle.js.map": JSON.stringify({ sources }) });
	add("alone", { LICENSE: "alone's", "bundle.js.map": JSON.stringify({ sources: sources.slice(1) }) });
	expect(parts([moduleOf("alone/bundle.js")]).map(({ name }) => name)).toEqual(["alone 1.2.3"]);
	expect(() => parts([moduleOf("outer/bundle.js")])).toThrow(
		"was built from @a/deep, whose licence texts are not listed",
	);
});

test("a font is listed with the licence beside it, and ends the build without one", () => {
	for (const file of ["Type.woff2", "Type.OFL.txt", "Bare.woff2"]) writeFileSync(join(root, file), `${file}'s`);
	expect(fontsOf(root, ["icon.svg", "Type.woff2"])).toEqual([{ name: "The font Type", texts: ["Type.OFL.txt's"] }]);
	expect(() => fontsOf(root, ["Bare.woff2"])).toThrow("Bare.OFL.txt");
});
