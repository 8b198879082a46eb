/** A page of the manual, which the repository keeps in web/manual. */
export interface Page {
	id: string;
	title: string;
}

/** pages are those of the manual, in the order of the README: for people from finance, then for engineers. */
export const pages: readonly Page[] = [
	{ id: "get-started", title: "Get started" },
	{ id: "files", title: "Files" },
	{ id: "glossary", title: "Glossary" },
	{ id: "feeds", title: "Feeds" },
	{ id: "interface", title: "Interface" },
	{ id: "command-line", title: "Command line" },
	{ id: "operations", title: "Operations" },
	{ id: "sizing", title: "Sizing" },
	{ id: "promises", title: "Promises" },
	{ id: "performance", title: "Performance" },
	{ id: "changelog", title: "Changelog" },
];

const texts = import.meta.glob<string>("../../../manual/*.md", { query: "?raw", import: "default" });

const files = import.meta.glob<string>("../../../manual/daybook*.{json,toml,yml}", {
	query: "?url",
	import: "default",
	eager: true,
});

/** fileOf is the address of a file in the folder of the manual, such as the dashboard; undefined for another link. */
export function fileOf(href: string): string | undefined {
	return Object.entries(files).find(([path]) => path.endsWith(`/manual/${href}`))?.[1];
}

/** textOf loads the text of a page. */
export function textOf({ id }: Page): Promise<string> {
	const [, text] = Object.entries(texts).find(([path]) => path.endsWith(`/${id}.md`)) ?? [];
	return text ? text() : Promise.reject(new Error(`the manual has no page ${id}`));
}

/** A place in the manual: a page, and a heading of it or "". */
export interface Place extends Record<string, string> {
	view: string;
	at: string;
}

/** placeOf is where a link of a page leads within the manual; undefined where it leads out of it. */
export function placeOf(href: string, from: Page): Place | undefined {
	const [, view, at] = /^(?:([a-z-]+)\.md)?(?:#([a-z0-9-]+))?$/.exec(href) ?? [];
	return view || at ? { view: view ?? from.id, at: at ?? "" } : undefined;
}

/** anchorOf is the anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
	return heading
		.toLowerCase()
		.replaceAll(/[^a-z0-9 -]/g, "")
		.replaceAll(" ", "-");
}
