import { constants, gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

/** The most bytes of script and style, compressed, that load before the page shows anything. */
export const most = 100_000;

/** The most bytes of script and style, compressed, of all screens together, without the texts of the manual. */
export const mostOfAll = 260_000;

/** The files of a build. */
export type Built = Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>;

/** limitWeight makes a build fail whose page starts with more bytes, or has more of them on all screens. */
export function limitWeight(): Plugin {
	return {
		name: "limitWeight",
		apply: "build",
		enforce: "post",
		generateBundle: {
			order: "post",
			handler(_, built) {
				const weight = weightOf(built);
				if (weight > most) this.error(`The page begins with ${weight} bytes of script and style, more than ${most}.`);
				const all = weightOfAll(built);
				if (all > mostOfAll) this.error(`The page has ${all} bytes of script and style, more than ${mostOfAll}.`);
			},
		},
	};
}

/** weightOf returns the bytes that load before any screen: the entry, its imports, and their styles. */
export function weightOf(built: Built): number {
	const names = new Set<string>();
	const take = (name: string) => {
		const file = built[name];
		if (!file || names.has(name)) return;
		names.add(name);
		if (file.type !== "chunk") return;
		for (const other of [...file.imports, ...(file.viteMetadata?.importedCss ?? [])]) take(other);
	};
	for (const file of Object.values(built)) if (file.type === "chunk" && file.isEntry) take(file.fileName);
	return compressed([...names].flatMap((name) => built[name] ?? []));
}

/** weightOfAll returns the bytes of every script and style, those that load on demand too, but for the texts of the manual. */
export function weightOfAll(built: Built): number {
	return compressed(
		Object.values(built).filter((file) => (file.type === "chunk" ? !isText(file) : /\.(css|js)$/.test(file.fileName))),
	);
}

/** A page of the manual is a text, and Help loads the one that it shows. */
function isText({ facadeModuleId }: Rolldown.OutputChunk): boolean {
	return /\.md\?raw$/.test(facadeModuleId ?? "");
}

function compressed(files: Built[string][]): number {
	let bytes = 0;
	for (const file of files)
		bytes += gzipSync(file.type === "chunk" ? file.code : file.source, { level: constants.Z_BEST_COMPRESSION }).length;
	return bytes;
}
