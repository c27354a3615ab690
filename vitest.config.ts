import { defineConfig } from "vitest/config";

export default defineConfig({
  // Packages are tested against each other's source: no build needed.
  resolve: { conditions: ["toolrack-source"] },
  ssr: { resolve: { conditions: ["toolrack-source", "node", "import"], externalConditions: ["toolrack-source", "node", "import"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "{scripts,bench}/test/**/*.test.mjs"],
    testTimeout: 30_000,
  },
});
