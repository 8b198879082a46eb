import type { Environment } from "vitest/runtime";

/** Tests run the half of Svelte that a browser runs, in Node and without a document. */
export default {
	name: "client",
	viteEnvironment: "client",
	setup: () => ({ teardown() {} }),
} satisfies Environment;
