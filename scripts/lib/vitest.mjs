import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./files.mjs";
import { runTool } from "./run.mjs";
import { countRerun, countTests, failedFiles } from "./vitest-report.mjs";

const report = join(root, "node_modules", ".cache", "toolrack", "vitest.json");
const mostFilesToRerun = 3;

/**
 * Runs the unit, property and type tests; each test counts one. With TOOLRACK_RERUN_FAILED=1, which CI sets, a run with failures
 * in a few files runs those files once more: a test that then passes is named as unstable instead of stopping the run.
 */
export async function runVitest() {
  const first = await runOnce([]);
  const files = first.report === undefined ? [] : failedFiles(first.report);
  const rerun = process.env.TOOLRACK_RERUN_FAILED === "1" && files.length > 0 && files.length <= mostFilesToRerun;
  const again = rerun ? await runOnce(files) : undefined;
  const counts = again?.report === undefined ? countOf(first) : countRerun(first.report, again.report);
  const unstable = (counts.unstable ?? []).map(({ name, why }) => `${relative(root, name)}\n${why}`);
  return {
    ...counts,
    note: [`${counts.passed} tests`, ...unstable.map((name) => `unstable: ${name}`)].join("\n  "),
    output: `${first.output}${again?.output ?? ""}`,
  };
}

async function runOnce(files) {
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code, output } = await runTool("vitest", "vitest", ["run", ...reporters, ...files]);
  return { code, output, report: existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined };
}

function countOf({ code, report: counted }) {
  const counts = counted === undefined ? { passed: 0, failed: 0, skipped: 0 } : countTests(counted);
  // An error outside any test belongs to none of them.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}
