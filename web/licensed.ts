import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** A part of the page that others wrote, and the texts that its licence asks to pass on. */
export interface Part {
	name: string;
	texts: string[];
}

/** Inside are the packages that a package was built from, by the texts of their licences. */
export type Inside = { of: string[]; text: string }[];

/** licensed lists the packages whose code is in the page, and ends a build in which one has no licence text. */
export function licensed(): Plugin {
	let root = "";
	return {
		name: "licensed",
		apply: "build",
		configResolved(config) {
			root = config.root;
		},
		generateBundle(_, built) {
			const ids = Object.values(built).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
			const prebuilt = JSON.parse(readFileSync(join(root, "prebuilt.json"), "utf8"));
			const source = JSON.stringify(partsOf(root, ids, prebuilt));
			this.emitFile({ type: "asset", fileName: "licenses.json", source });
		},
	};
}

/** partsOf are the packages that modules are of, in the order of their names. */
export function partsOf(root: string, ids: string[], prebuilt: Record<string, Inside>): Part[] {
	const packages = new Map<string, Set<string>>(); // by folder, the packages that were built into its modules
	for (const id of ids) {
		const folder = folderOf(root, id);
		if (!folder) continue;
		const inside = packages.get(folder) ?? new Set();
		for (const name of builtInto(id)) inside.add(name);
		packages.set(folder, inside);
	}
	const parts: Part[] = [];
	for (const [folder, inside] of packages) {
		const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
		parts.push({ name: `${name} ${version}`, texts: textsOf(folder) });
		if (inside.size === 0) continue;
		const known = prebuilt[name] ?? [];
		const missing = [...inside].filter((one) => !known.some(({ of }) => of.includes(one)));
		const left = known.flatMap(({ of }) => of).filter((one) => !inside.has(one));
		if (missing.length + left.length > 0)
			throw new Error(
				`prebuilt.json is not what ${name} ${version} was built from. Add the licence texts of ${missing}; remove ${left}.`,
			);
		for (const { of, text } of known) parts.push({ name: `${of.join(", ")}, in ${name}`, texts: [text] });
	}
	const bare = parts.filter(({ texts }) => !texts.some((text) => text.trim())).map(({ name }) => name);
	if (bare.length > 0) throw new Error(`There is no licence text in ${bare}.`);
	return parts.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** folderOf is the folder of the package that a module is of; none for the page's own. What a tool adds bears the tool's name. */
function folderOf(root: string, id: string): string | undefined {
	if (!id.startsWith("\0")) return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];
	const folder = join(root, "node_modules", id.slice(1).split("/")[0] ?? "");
	return existsSync(join(folder, "package.json")) ? folder : undefined;
}

/** builtInto are the names of the packages that the source map of a module tells of. */
function builtInto(id: string): string[] {
	const map = `${id.split("?")[0]}.map`;
	if (id.startsWith("\0") || !existsSync(map)) return [];
	const { sources } = JSON.parse(readFileSync(map, "utf8")) as { sources: string[] };
	return sources.flatMap((source) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
}

/** textsOf are the licences and notices that lie in the folder of a package, or in a folder there that is called so; none without a licence. */
function textsOf(folder: string): string[] {
	const named = readdirSync(folder).filter((name) => /^((un)?licen[cs]es?|copying|notices?)([-_.]|$)/i.test(name));
	const files = named.sort().flatMap((name) => {
		const path = join(folder, name);
		return statSync(path).isDirectory() ? readdirSync(path).map((inner) => join(path, inner)) : [path];
	});
	const texts = files.filter((file) => !/\.[cm]?[jt]s$/.test(file));
	if (texts.every((file) => /notices?[^/]*$/i.test(file))) return [];
	return texts.map((file) => readFileSync(file, "utf8"));
}
