import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../lib/run.mjs";

const baseline = fileURLToPath(new URL("../../packages/mcp/conformance/expected-failures.yml", import.meta.url));

/** Runs what one revision requires of one side; answers `{ passed, failed, warnings, findings, isGood, output }`. */
export async function runSuite(place, side, revision, target) {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-conformance-"));
  try {
    const args = [place.suite, side, ...target, "--requirements", revision, "--expected-failures", baseline, "-o", folder];
    const { code, output } = await run(place.node, args);
    return { ...readResults(folder), isGood: code === 0, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Counted from the files that the suite leaves for each scenario, and not from what it prints. */
function readResults(folder) {
  const counts = { SUCCESS: 0, FAILURE: 0, WARNING: 0 };
  const findings = [];
  for (const scenario of readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith("checks.json"))) {
    for (const { id, status, errorMessage } of JSON.parse(readFileSync(join(folder, scenario), "utf8"))) {
      if (!Object.hasOwn(counts, status)) continue;
      counts[status]++;
      if (status !== "SUCCESS") findings.push(`${status.toLowerCase()} ${id}: ${errorMessage}`);
    }
  }
  return { passed: counts.SUCCESS, failed: counts.FAILURE, warnings: counts.WARNING, findings };
}

/** The entries of the list of expected failures that git does not know: the list may only shrink. */
export async function newExpectations(root) {
  const path = "packages/mcp/conformance/expected-failures.yml";
  const { code, output } = await run("git", ["show", `HEAD:${path}`], { cwd: root });
  if (code !== 0 || !existsSync(baseline)) return [];
  const known = new Set(entries(output));
  return entries(readFileSync(baseline, "utf8")).filter((entry) => !known.has(entry));
}

function entries(text) {
  return text
    .split("\n")
    .filter((line) => /^\s*-\s/.test(line))
    .map((line) => line.trim());
}
