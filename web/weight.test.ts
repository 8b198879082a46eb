import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type Built, limitWeight, most, weightOf } from "./weight.ts";

/** noise returns a text that does not compress. */
const noise = (bytes: number) => randomBytes(bytes).toString("latin1");
const chunk = (fileName: string, more: object) => ({ type: "chunk", fileName, code: "", imports: [], ...more });
const style = (bytes: number) => ({ type: "asset", source: randomBytes(bytes) });

const built = (bytes: number) =>
	({
		"index.js": chunk("index.js", {
			isEntry: true,
			imports: ["shared.js"],
			dynamicImports: ["screen.js"],
			viteMetadata: { importedCss: new Set(["index.css"]) },
		}),
		"shared.js": chunk("shared.js", { code: "const shared = 1;", imports: ["index.js"] }),
		"index.css": style(bytes),
		"screen.js": chunk("screen.js", { code: noise(most), viteMetadata: { importedCss: new Set(["screen.css"]) } }),
		"screen.css": style(most),
	}) as unknown as Built;

test("what a page begins with is its entry with its imports and styles, not the screens that follow", () => {
	expect(weightOf(built(10_000))).toBeGreaterThan(10_000);
	expect(weightOf(built(10_000))).toBeLessThan(10_200);
});

test("a page that begins with too much is not built", () => {
	const plugin = limitWeight() as unknown as { generateBundle: { handler: (options: unknown, built: Built) => void } };
	const build = (bytes: number) => {
		const error = (message: string) => {
			throw new Error(message);
		};
		plugin.generateBundle.handler.call({ error }, undefined, built(bytes));
	};
	expect(() => build(most - 500)).not.toThrow();
	expect(() => build(most)).toThrow(/more than 100000/);
});
