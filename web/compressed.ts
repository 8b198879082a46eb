import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** compressed keeps each built file as its .gz only: that is what the program embeds and sends. */
export function compressed(): Plugin {
	let folder = "";
	return {
		name: "compressed",
		apply: "build",
		configResolved(config) {
			folder = join(config.root, config.build.outDir);
		},
		closeBundle() {
			for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
				if (!entry.isFile() || entry.name === ".keep" || entry.name.endsWith(".gz")) continue;
				const file = join(entry.parentPath, entry.name);
				writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: constants.Z_BEST_COMPRESSION }));
				rmSync(file);
			}
		},
	};
}
