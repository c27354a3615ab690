import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMain } from "../../../scripts/lib/main.mjs";
import { runTool } from "../../../scripts/lib/run.mjs";
import { countTests } from "../../../scripts/lib/vitest-report.mjs";
import { printStep } from "../../../scripts/lib/step-program.mjs";
import { folder, withSdks } from "../sdks.mjs";

const report = join(folder, "node_modules", ".cache", "run-time.json");

/** Runs the tests of this folder: our tools, as they are built, in the hands of the real frameworks. Each test counts one. */
export function checkFrameworks() {
  return withSdks(1, async () => {
    rmSync(report, { force: true });
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const { code, output } = await runTool("vitest", "vitest", ["run", "--root", dirname(fileURLToPath(import.meta.url)), ...reporters]);
    const counts = existsSync(report) ? countTests(JSON.parse(readFileSync(report, "utf8"))) : { passed: 0, failed: 0, skipped: 0 };
    // An error outside any test belongs to none of them.
    if (code !== 0 && counts.failed === 0) counts.failed = 1;
    return { ...counts, note: `${counts.passed} tests`, output };
  });
}

if (isMain(import.meta.url)) await printStep(checkFrameworks);
