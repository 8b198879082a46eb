import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { licensed } from "./licensed.ts";
import { weighed } from "./weighed.ts";

// The page is embedded in the program; what `npx vite` serves asks a program on port 8080.
export default defineConfig({
	plugins: [svelte(), weighed(), licensed()],
	build: {
		target: "es2022",
		modulePreload: { polyfill: false },
		chunkSizeWarningLimit: 650, // ECharts, on the screens that draw
		// What is loaded before any screen is one file, not one for each set of screens that shares a part of it.
		rolldownOptions: { output: { codeSplitting: { groups: [{ name: "page", tags: ["$initial"] }] } } },
		assetsInlineLimit: 0, // the page's policy allows no data: addresses
	},
	test: {
		server: { deps: { inline: [/svelte/] } },
		// Parts are tested as Svelte prints them, what goes on in a page as a browser runs it.
		projects: [
			{ extends: true, test: { name: "printed", include: ["src/{parts,table,chart}/**/*.test.ts", "*.test.ts"] } },
			{
				extends: true,
				test: { name: "browser", include: ["browser/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
			},
			{
				extends: true,
				resolve: { conditions: ["browser"] },
				test: {
					name: "page",
					environment: "./client.ts",
					include: ["src/{address,api,format,screens,shell,trading,budget}/**/*.test.ts"],
				},
			},
		],
	},
	server: { proxy: { "^/(api|health|openapi|trade|positions|company|currency)": "http://localhost:8080" } },
});
