import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { root } from "../../scripts/lib/files.mjs";
import { runTool } from "../../scripts/lib/run.mjs";

/**
 * Runs test files, or all there are where the list is empty. `named` holds the names of tests that failed, and of files that could not be
 * loaded; `byFile` has `{ passed, named, messages }` of each file, by its path.
 */
export async function runFiles(files, env = process.env) {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-run-"));
  const report = join(folder, "report.json");
  try {
    const { output } = await runTool("vitest", "vitest", ["run", "--reporter=json", `--outputFile.json=${report}`, ...files], { env });
    const { numPassedTests, testResults } = readReport(report, output);
    const byFile = new Map(
      testResults.map((result) => [
        relative(root, result.name),
        { passed: passedOf(result), named: failuresOf(result), messages: messagesOf(result) },
      ]),
    );
    return { passed: numPassedTests, named: [...byFile.values()].flatMap(({ named }) => named), byFile };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file, output) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new Error(`The tests were not run:\n${output.slice(-2_000)}`);
  }
}

const passedOf = ({ assertionResults }) => assertionResults.filter(({ status }) => status === "passed").length;

const messagesOf = ({ assertionResults }) => assertionResults.flatMap(({ failureMessages = [] }) => failureMessages);

function failuresOf({ status, message = "", assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === "failed").map(({ fullName }) => fullName);
  return failed.length === 0 && status === "failed" ? [`could not be loaded: ${message.split("\n")[0]}`] : failed;
}
