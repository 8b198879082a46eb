import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type Built, limitWeight, most, mostOfAll, weightOf, weightOfAll } from "./weight.ts";

/** noise returns a text that does not compress. */
const noise = (bytes: number) => randomBytes(bytes).toString("latin1");
const chunk = (fileName: string, more: object) => ({ type: "chunk", fileName, code: "", imports: [], ...more });
const style = (fileName: string, bytes: number) => ({ type: "asset", fileName, source: randomBytes(bytes) });

/** built returns a build whose page begins with `bytes`, beside a screen of `later` bytes. */
const built = (bytes: number, later = 2 * most) =>
	({
		"index.js": chunk("index.js", {
			isEntry: true,
			imports: ["shared.js"],
			dynamicImports: ["screen.js"],
			viteMetadata: { importedCss: new Set(["index.css"]) },
		}),
		"shared.js": chunk("shared.js", { code: "const shared = 1;", imports: ["index.js"] }),
		"index.css": style("index.css", bytes),
		"screen.js": chunk("screen.js", { code: noise(later / 2), viteMetadata: { importedCss: new Set(["screen.css"]) } }),
		"screen.css": style("screen.css", later / 2),
		"help.js": chunk("help.js", { code: noise(mostOfAll), facadeModuleId: "/web/manual/operations.md?raw" }),
		"font.woff2": style("font.woff2", mostOfAll),
	}) as unknown as Built;

test("what a page begins with is its entry with its imports and styles, not the screens that follow", () => {
	expect(weightOf(built(10_000))).toBeGreaterThan(10_000);
	expect(weightOf(built(10_000))).toBeLessThan(10_200);
});

test("what a page has is every script and style, no font, and no text of the manual", () => {
	expect(weightOfAll(built(10_000, 20_000))).toBeGreaterThan(30_000);
	expect(weightOfAll(built(10_000, 20_000))).toBeLessThan(36_000);
});

test("a page that begins with too much, or has too much on all screens, is not built", () => {
	const plugin = limitWeight() as unknown as { generateBundle: { handler: (options: unknown, built: Built) => void } };
	const build = (bytes: number, later: number) => {
		const error = (message: string) => {
			throw new Error(message);
		};
		plugin.generateBundle.handler.call({ error }, undefined, built(bytes, later));
	};
	expect(() => build(most - 500, 0)).not.toThrow();
	expect(() => build(most, 0)).toThrow(/more than 100000/);
	expect(() => build(1000, mostOfAll)).toThrow(/more than 260000/);
});
