import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCode } from "./load.mjs";

const limits = { steps: 50_000_000, memoryBytes: 1e9, calls: 50, outputBytes: 1e7, depth: 2_000 };

/** The rows of test262 that belong to the language. */
export async function test262Table(folder, verbose = false) {
  const base = join(folder, "test262");
  const rows = readFileSync(join(base, "tests.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const read = (name) => readFileSync(join(base, name), "utf8");
  const harness = read("harness.js");
  const asyncHarness = read("harness-async.js");
  const included = new Map();
  const kinds = {
    "must run": { passed: 0, count: 0 },
    "must be refused": { passed: 0, count: 0 },
    "classes and constructors": { passed: 0, count: 0 },
  };
  const { prepareProgram, runProgram } = await loadCode();
  for (const row of rows) {
    const kind = kinds[row.negative ? "must be refused" : row.tier === 2 ? "classes and constructors" : "must run"];
    kind.count++;
    let passed;
    let reason = "";
    if (row.negative) passed = !prepareProgram(row.source).ok;
    else {
      const needsAsync = row.async === true || row.includes?.includes("asyncHelpers.js");
      const files = (row.includes ?? [])
        .filter((name) => name !== "asyncHelpers.js" && name !== "compareArray.js")
        .map((name) => {
          if (!included.has(name)) included.set(name, read(name));
          return included.get(name);
        });
      const program = [harness, ...(needsAsync ? [asyncHarness] : []), ...files, row.source, ...(row.async ? [";await __done;"] : [])].join(
        "\n",
      );
      const result = await runProgram(program, { tools: {}, limits });
      passed = result.ok;
      if (!passed) reason = `${result.error.kind} ${result.error.message}`;
    }
    if (passed) kind.passed++;
    else if (verbose) console.log(`✗ ${row.path}${row.negative ? " (accepted)" : ` ${reason}`}`);
  }
  const all = Object.values(kinds).reduce((sum, kind) => ({ passed: sum.passed + kind.passed, count: sum.count + kind.count }), {
    passed: 0,
    count: 0,
  });
  const line = (name, { passed, count }, target) => {
    const share = (100 * passed) / count;
    return [
      name,
      String(count),
      String(passed),
      `${share.toFixed(1)} %`,
      target === undefined ? "" : `≥ ${target} %`,
      target === undefined || share >= target ? "ok" : "over",
    ];
  };
  return {
    caption: "test262",
    columns: ["tests", "number", "passed", "share", "target", "verdict"],
    rows: [...Object.entries(kinds).map(([name, kind]) => line(name, kind)), line("all", all, 97)],
  };
}
