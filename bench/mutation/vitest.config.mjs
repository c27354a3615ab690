import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { mergeConfig } from "vitest/config";
import toolrack from "../../vitest.config.ts";
import { instrument } from "./instrument.mjs";

// Vitest for one plan of try-mutants.mjs: all mutants are in the sources at once, and the runner switches them on one after another.
const plan = JSON.parse(readFileSync(process.env["MUTATION_PLAN"], "utf8"));
const { projects: _, ...test } = plan.isToolrack ? toolrack.test : {};

export default mergeConfig(plan.isToolrack ? { ...toolrack, test } : {}, {
  root: plan.root,
  plugins: [withMutants()],
  test: {
    runner: join(plan.here, "runner.mjs"),
    maxWorkers: plan.workers,
    fileParallelism: plan.workers > 1,
    sequence: { sequencer: InPlannedOrder },
    projects: plan.isToolrack ? toolrack.test.projects : [{ extends: true, test: { include: plan.tests, isolate: false } }],
  },
});

function withMutants() {
  return {
    name: "with-mutants",
    enforce: "pre",
    transform(code, id) {
      const file = relative(plan.root, id.split("?")[0]).replaceAll("\\", "/");
      const { mutants, fileId } = plan.sources[file] ?? {};
      return mutants === undefined ? undefined : { code: instrument(file, code, mutants, fileId), map: null };
    },
  };
}

/** The cheapest test files first. */
function InPlannedOrder() {
  const place = new Map(plan.tests.map((file, index) => [join(plan.root, file), index]));
  return {
    shard: (files) => files,
    sort: (files) => files.toSorted((a, b) => place.get(a.moduleId) - place.get(b.moduleId)),
  };
}
