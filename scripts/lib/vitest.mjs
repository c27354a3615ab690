import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./files.mjs";
import { runTool } from "./run.mjs";

const report = join(root, "node_modules", ".cache", "toolrack", "vitest.json");

/** Runs the unit, property and type tests; each test counts one. */
export async function runVitest() {
  rmSync(report, { force: true });
  const { code, output } = await runTool("vitest", "vitest", [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  const counts = existsSync(report) ? countTests(JSON.parse(readFileSync(report, "utf8"))) : { passed: 0, failed: 0, skipped: 0 };
  // An error outside any test belongs to none of them.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return { ...counts, note: `${counts.passed} tests`, output };
}

function countTests({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  const unloaded = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length, skipped: numPendingTests + numTodoTests };
}
