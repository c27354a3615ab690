import { defineConfig } from "vitest/config";

// The frameworks of ../node_modules run our tools as they are built.
export default defineConfig({ test: { include: ["*.test.ts"], testTimeout: 60_000 } });
