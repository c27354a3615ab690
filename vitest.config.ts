import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { threadBundle } from "./scripts/test/thread-bundle.mjs";

export default defineConfig({
  plugins: [threadBundle()],
  // Packages are tested against each other's source: no build needed.
  resolve: { conditions: ["toolrack-source"] },
  // "import" is not among them: it would hold for `require` too, and give packages with both forms the wrong one.
  ssr: { resolve: { conditions: ["toolrack-source", "node"], externalConditions: ["toolrack-source", "node"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "{scripts,bench}/test/**/*.test.mjs"],
    setupFiles: ["./scripts/test/fixed-seed.mjs"],
    testTimeout: 60_000,
    // The default leaves one core idle, which on two is half of them.
    maxWorkers: availableParallelism(),
  },
});
