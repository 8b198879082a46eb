import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { listPackages } from "./packages.ts";
import { limitWeight } from "./weight.ts";

// The program embeds the page. `npx vite` sends its requests to a program on port 8080.
export default defineConfig({
	plugins: [svelte(), limitWeight(), listPackages()],
	build: {
		target: "es2022",
		modulePreload: { polyfill: false },
		// The code before any screen is one file.
		rolldownOptions: { output: { codeSplitting: { groups: [{ name: "page", tags: ["$initial"] }] } } },
		assetsInlineLimit: 0, // the policy of the page allows no data: addresses
	},
	test: {
		server: { deps: { inline: [/svelte/] } },
		testTimeout: 60_000, // no test depends on the speed of the machine
		maxWorkers: "100%", // Vitest would leave one processor unused
		// Components are tested as Svelte renders them on a server, other code as it runs in a browser.
		projects: [
			{
				extends: true,
				test: { name: "printed", include: ["src/{parts,table,chart,budget}/**/*.test.ts", "*.test.ts"] },
			},
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
					include: ["src/{address,api,format,screens,shell,trading}/**/*.test.ts"],
				},
			},
		],
	},
	server: { proxy: { "^/(api|health|openapi|trade|positions|company|currency)": "http://localhost:8080" } },
});
