import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongFirst } from "./scripts/test/long-first.mjs";
import { threadBundle } from "./scripts/test/thread-bundle.mjs";

/** Tests that replace a module, change a global value or measure the heap: each of these files has a process of its own. */
const alone = ["packages/*/test/**/*.alone.test.ts"];

/**
 * Files that load about the same sources share their processes: loading these anew takes longer than most tests. A process for all files would
 * grow to gigabytes.
 */
const groups = {
  programs: ["scripts/test", "bench/test"],
  server: ["packages/{cli,console,create,server}/test"],
  parts: ["packages/!(cli|console|core|create|json-schema|server)/test"],
  core: ["packages/{core,json-schema}/test"],
};

/** One empty folder for all projects, each of which reads this file again. It is removed with this process. */
function folderOfRun(): string {
  const shared = globalThis as { toolrackTestFolder?: string };
  if (shared.toolrackTestFolder !== undefined) return shared.toolrackTestFolder;
  const folder = mkdtempSync(join(tmpdir(), "toolrack-vitest-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return (shared.toolrackTestFolder = folder);
}

function compiledSources(): string {
  return process.env["CI"] === undefined ? join(import.meta.dirname, "node_modules", ".cache", "sources") : join(folderOfRun(), "sources");
}

export default defineConfig({
  plugins: [threadBundle()],
  // Packages are tested against each other's source: no build needed.
  resolve: { conditions: ["toolrack-source"] },
  // "import" is not among them: it would hold for `require` too, and give packages with both forms the wrong one.
  ssr: { resolve: { conditions: ["toolrack-source", "node"], externalConditions: ["toolrack-source", "node"] } },
  test: {
    setupFiles: [
      ...(process.env["TEST_COST"] === undefined ? [] : ["./scripts/test/cost.mjs"]),
      "./scripts/test/fixed-seed.mjs",
      "./packages/testkit/src/every-test-file.ts",
    ],
    // On a busy machine everything may take many times as long. Nothing is proved by these limits: they end what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Many tests wait for servers and programs: three processes more than there are cores keep these busy.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: LongFirst },
    ...(process.env["TEST_REPEATS"] !== undefined && { runner: "./scripts/test/repeats.mjs" }),
    // Each project below would compile the sources for itself. On a developer's machine they are kept for the next run, by content.
    experimental: { fsModuleCache: true, fsModuleCachePath: compiledSources() },
    // What tests make once for all of them.
    env: { TEST_RUN_FOLDER: folderOfRun() },
    projects: [
      ...Object.entries(groups).map(([name, folders]) => ({
        extends: true as const,
        test: { name, include: folders.map((folder) => `${folder}/**/*.test.{ts,mjs}`), exclude: alone, isolate: false },
      })),
      { extends: true, test: { name: "alone", include: alone } },
    ],
  },
});
