import type { Environment } from "vitest/runtime";

/** Tests run the browser half of Svelte in Node, without a document. */
export default {
	name: "client",
	viteEnvironment: "client",
	setup: () => ({ teardown() {} }),
} satisfies Environment;
