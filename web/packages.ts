import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";

/** A package in the page, and the licence texts that must be passed on. */
export interface Part {
	name: string;
	texts: string[];
}

/** listPackages lists the packages and fonts in the page. The build fails if one has no licence text. */
export function listPackages(): Plugin {
	let root = "";
	return {
		name: "listPackages",
		apply: "build",
		configResolved(config) {
			root = config.root;
		},
		generateBundle(_, built) {
			const files = Object.values(built);
			const ids = files.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
			const assets = files.flatMap((file) => (file.type === "asset" ? file.originalFileNames : []));
			const source = JSON.stringify([...partsOf(root, ids), ...fontsOf(root, assets)]);
			this.emitFile({ type: "asset", fileName: "licenses.json", source });
		},
	};
}

/**
 * partsOf returns the packages of modules, sorted by name. Throws if a package has no licence text, or was built from
 * other packages.
 */
export function partsOf(root: string, ids: string[]): Part[] {
	const folders = new Set<string>();
	for (const id of ids) {
		const folder = folderOf(root, id);
		if (!folder) continue;
		folders.add(folder);
		const inside = builtInto(id);
		if (inside.length > 0) throw new Error(`${id} was built from ${inside}, whose licence texts are not listed.`);
	}
	const parts = [...folders].map((folder) => {
		const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
		return { name: `${name} ${version}`, texts: textsOf(folder) };
	});
	const bare = parts.filter(({ texts }) => !texts.some((text) => text.trim())).map(({ name }) => name);
	if (bare.length > 0) throw new Error(`There is no licence text in ${bare}.`);
	return parts.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** fontsOf returns the fonts among the assets of a build, each with the licence beside it: NAME.OFL.txt. */
export function fontsOf(root: string, assets: string[]): Part[] {
	const fonts = assets.filter((name) => name.endsWith(".woff2"));
	return fonts.map((font) => {
		const licence = readFileSync(join(root, font.replace(".woff2", ".OFL.txt")), "utf8");
		return { name: `The font ${basename(font, ".woff2")}`, texts: [licence] };
	});
}

/**
 * folderOf returns the folder of a module's package; undefined for the page's own modules. A module that a tool adds
 * has the tool's name.
 */
function folderOf(root: string, id: string): string | undefined {
	if (!id.startsWith("\0")) return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];
	const folder = join(root, "node_modules", id.slice(1).split("/")[0] ?? "");
	return existsSync(join(folder, "package.json")) ? folder : undefined;
}

/** builtInto returns the packages that the source map of a module names. */
function builtInto(id: string): string[] {
	const map = `${id.split("?")[0]}.map`;
	if (id.startsWith("\0") || !existsSync(map)) return [];
	const { sources } = JSON.parse(readFileSync(map, "utf8")) as { sources: string[] };
	return sources.flatMap((source) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
}

/**
 * textsOf returns the licences and notices in the folder of a package, or in a folder of that name in it; none
 * without a licence.
 */
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
