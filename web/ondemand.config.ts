import { defineConfig } from "vitest/config";

// Runs on demand only: `make screenshots` and `make bench-page`.
export default defineConfig({
	test: { include: ["browser/{pictures,measures}.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
