import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "src");

/** The rooms of the page, from the lowest up: what each holds, and which others it may import. */
const rooms: Record<string, { holds: string; imports: string[] }> = {
	format: { holds: "numbers, dates, currencies and texts as the page prints them", imports: [] },
	address: { holds: "the state of a screen in the address, and the browser's history", imports: ["format"] },
	api: { holds: "the client: requests, errors, live events, paging, the session", imports: ["format"] },
	trading: { holds: "what several screens know of trades", imports: ["format", "address", "api"] },
	parts: { holds: "small components that any screen uses", imports: ["format", "address", "api"] },
	budget: { holds: "what several screens know of budgets", imports: ["format", "address", "api", "parts"] },
	forms: {
		holds: "the parts of forms, which load after the first figure",
		imports: ["format", "address", "api", "parts"],
	},
	editors: {
		holds: "the forms of departments and accounts, which several screens open",
		imports: ["format", "address", "api", "budget", "parts", "forms"],
	},
	table: { holds: "the table, its order, its keys and what is copied of it", imports: ["format", "address", "parts"] },
	chart: { holds: "charts, drawn and as tables", imports: ["format", "address", "parts"] },
	"screens/*": {
		holds: "a screen, under the name that it has in the address",
		imports: ["format", "address", "api", "budget", "trading", "parts", "forms", "editors", "table", "chart"],
	},
	screens: { holds: "the list of the screens, and how each is loaded", imports: ["screens/*"] },
	shell: {
		holds: "the frame around a screen: navigation, filters, search, shortcuts",
		imports: ["format", "address", "api", "budget", "parts", "table", "screens"],
	},
	".": { holds: "where the page begins", imports: ["address", "api", "parts", "screens", "shell"] },
};

/** A folder fits on a screen, and a file can be read at once. */
const mostFiles = 42;
const mostLines = 400;

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
	(name) => /\.(svelte|ts|css)$/.test(name) && name !== "api/schema.ts", // generated
);
const product = files.filter((name) => !name.includes(".test."));

/** folderOf returns the folder of a file below src. */
function folderOf(file: string): string {
	return dirname(file).split("/").slice(0, 2).join("/");
}

/** roomOf returns the row of the table for a folder. */
function roomOf(folder: string): string {
	return folder.startsWith("screens/") ? "screens/*" : folder;
}

/** importsOf returns the files that a source imports, as paths below src. */
function importsOf(file: string, text: string): string[] {
	const specifiers = text.matchAll(/(?:\bfrom|\bimport|\bimport\(|\bURL\()\s*"([^"]*)"/g);
	return [...specifiers].flatMap(([, path = ""]) =>
		path.startsWith(".") ? [relative(source, join(source, dirname(file), path))] : [],
	);
}

/** faults returns the imports of a file that the table does not allow. */
function faults(file: string, text: string): string[] {
	const from = folderOf(file);
	return importsOf(file, text).filter((imported) => {
		const to = folderOf(imported);
		return to !== from && !rooms[roomOf(from)]?.imports.includes(roomOf(to));
	});
}

test.each(product)("%s imports only what its room may", (file) => {
	expect(rooms).toHaveProperty([roomOf(folderOf(file))]);
	expect(faults(file, readFileSync(join(source, file), "utf8"))).toEqual([]);
});

test("no two rooms import each other, directly or by way of others", () => {
	const order = Object.keys(rooms);
	for (const [room, { imports }] of Object.entries(rooms))
		for (const imported of imports) expect(order.indexOf(imported), imported).toBeLessThan(order.indexOf(room));
});

test("every room of the table is there", () => {
	const found = new Set(product.map((file) => roomOf(folderOf(file))));
	expect([...found].sort()).toEqual(Object.keys(rooms).sort());
});

test("a folder has few files, and a file few lines", () => {
	const folders = new Map<string, number>();
	for (const file of product) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
	for (const [folder, count] of folders) expect(count, folder).toBeLessThanOrEqual(mostFiles);
	for (const file of files) {
		const lines = readFileSync(join(source, file), "utf8").split("\n").length - 1;
		expect(lines, file).toBeLessThanOrEqual(mostLines);
	}
});

test.each([
	["format/decimal.ts", 'import { api } from "../api/client";'],
	["api/client.ts", 'import { address } from "../address/address.svelte";'],
	["table/Table.svelte", 'import Chart from "../chart/Chart.svelte";'],
	["screens/alerts/Alerts.svelte", 'import { behind } from "../overview/overview";'],
	["screens/alerts/Alerts.svelte", 'import { load } from "../load";'],
	["budget/month.ts", 'const later = import("../shell/Frame.svelte");'],
	["api/sharedStream.ts", 'new URL("../shell/search.ts", import.meta.url)'],
])("the table forbids %s: %s", (file, text) => {
	expect(faults(file, text)).toHaveLength(1);
});
