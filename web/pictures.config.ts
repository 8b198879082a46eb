import { defineConfig } from "vitest/config";

// What `make screenshots` runs.
export default defineConfig({ test: { include: ["browser/pictures.ts"], testTimeout: 60_000, hookTimeout: 60_000 } });
