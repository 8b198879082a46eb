import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anchorOf, fileOf, pages, placeOf, textOf } from "./help";

const manual = join(import.meta.dirname, "../../../manual");

test("every page of the manual is under Help, with its title", async () => {
	const files = readdirSync(manual).filter((name) => name.endsWith(".md"));
	expect(pages.map((page) => `${page.id}.md`).sort()).toEqual(files.sort());
	for (const page of pages) expect((await textOf(page)).split("\n")[0]).toMatch(new RegExp(`^# ${page.title}`));
});

test("a link within the manual leads to a heading that exists", () => {
	let links = 0;
	for (const page of pages) {
		for (const [, href = ""] of readFileSync(join(manual, `${page.id}.md`), "utf8").matchAll(/\]\(([^)]*)\)/g)) {
			const place = placeOf(href, page);
			if (!place) continue;
			links++;
			const text = readFileSync(join(manual, `${place.view}.md`), "utf8");
			const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
			expect(["", ...anchors]).toContain(place.at);
		}
	}
	expect(links).toBeGreaterThan(3);
});

test("a link to a file in the folder of the manual leads to it", () => {
	for (const file of ["daybook-dashboard.json", "daybook-alerts.yml", "daybook.toml"]) {
		expect(
			readFileSync(join(manual, "operations.md"), "utf8") + readFileSync(join(manual, "command-line.md"), "utf8"),
		).toContain(file);
		expect(fileOf(file)).toContain(file.replace(/\..*/, ""));
	}
	expect(fileOf("glossary.md")).toBeUndefined();
});

test("a link out of the manual stays the same", () => {
	const page = { id: "operations", title: "Operations" };
	expect(placeOf("https://litestream.io", page)).toBeUndefined();
	expect(placeOf("../../LICENSE", page)).toBeUndefined();
	expect(placeOf("#install", page)).toEqual({ view: "operations", at: "install" });
	expect(placeOf("glossary.md", page)).toEqual({ view: "glossary", at: "" });
});
