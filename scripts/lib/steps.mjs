import { existsSync } from "node:fs";
import { join } from "node:path";
import { listFolders, root } from "./files.mjs";
import { checkDocs } from "../docs.mjs";
import { runExample } from "../docs/run-example.mjs";
import { runNode, runTool } from "./run.mjs";
import { runStep } from "./step-program.mjs";
import { runVitest } from "./vitest.mjs";

/** Checks that read the code without running it. A step answers `{ passed, failed, skipped?, note?, output }`. */
export const checkSteps = [
  { name: "types", run: () => one(runTool("typescript", "tsc", ["-b", ".", ...testProjects()])) },
  { name: "console types", run: () => one(runTool("typescript", "tsc", ["-p", "packages/console"])) },
  { name: "lint", run: () => one(runTool("oxlint", "oxlint", ["--deny-warnings"])) },
  { name: "format", run: () => one(runTool("oxfmt", "oxfmt", ["--check"])) },
  { name: "house", run: () => one(runNode(["scripts/check-house.mjs"])) },
];

/** What examples printed: the pages that show it are compared with the same run. */
const printed = new Map();

/** All checks. Many tests wait for servers and programs; meanwhile the other checks use the machine. */
export const allSteps = [
  [
    [{ name: "tests", run: runVitest }],
    [
      ...checkSteps,
      { name: "SDK types", run: () => runStep("bench/types/run.mjs") },
      { name: "examples", run: runExamples },
      { name: "frameworks", run: () => runStep("bench/types/run-time/run.mjs") },
      { name: "docs", run: checkPages },
    ],
  ],
];

/** A program that counts as one check: it passed when it ended with 0. */
async function one(running) {
  const { code, output } = await running;
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
}

/** "packages/core/test" and the like: tests are type-checked, but never built. */
function testProjects() {
  return listFolders(join(root, "packages"))
    .map((name) => `packages/${name}/test`)
    .filter((folder) => existsSync(join(root, folder, "tsconfig.json")));
}

/** Runs every example, two at a time; one counts as passed when it ends with 0. */
async function runExamples() {
  const names = listFolders(join(root, "examples")).filter((name) => existsSync(join(root, "examples", name, "index.ts")));
  const waiting = [...names];
  const failures = [];
  const runNext = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const { code, output } = await runExample(root, `examples/${name}`, printed);
      if (code !== 0) failures.push(`examples/${name} ended with ${code}:\n${output}`);
    }
  };
  await Promise.all([runNext(), runNext()]);
  const passed = names.length - failures.length;
  return { passed, failed: failures.length, note: `${passed} of ${names.length}`, output: failures.join("\n") };
}

/** Code blocks and links of all pages. */
async function checkPages() {
  const findings = await checkDocs(root, { printed });
  const output = findings.map(({ path, line, sentence }) => `${path}:${line}  ${sentence}`).join("\n");
  return { passed: findings.length === 0 ? 1 : 0, failed: findings.length === 0 ? 0 : 1, output };
}
