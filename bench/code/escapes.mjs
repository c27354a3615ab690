import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { escapeLabels, escapeTools, expectationMistake, hostMistake, hostState } from "../../packages/code/test/support/escapes.mjs";
import { loadCode } from "./load.mjs";

export async function escapesTable(folder, verbose = false) {
  const rows = readFileSync(join(folder, "escapes.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { runProgram } = await loadCode();
  const kinds = new Map();
  const before = hostState();
  for (const row of rows) {
    const kind = kinds.get(row.about) ?? { count: 0, right: 0 };
    kinds.set(row.about, kind);
    kind.count++;
    const started = process.cpuUsage();
    const result = await runProgram(row.source, { tools: escapeTools(), labels: escapeLabels });
    const { user, system } = process.cpuUsage(started);
    const ms = (user + system) / 1_000;
    const mistake = ms > 10_000 ? `took ${ms} ms` : (hostMistake(result) ?? expectationMistake(row.expect, result));
    if (mistake === undefined) kind.right++;
    else if (verbose)
      console.log(
        `✗ ${row.id}: ${mistake}\n    ${JSON.stringify({ ...result, calls: result.calls.length, value: JSON.stringify(result.value)?.slice(0, 200) })}`,
      );
  }
  const unchanged = isDeepStrictEqual(hostState(), before);
  const lines = [...kinds].map(([name, { count, right }]) => [
    name,
    String(count),
    String(right),
    String(count),
    right === count ? "ok" : "over",
  ]);
  return {
    caption: "Attempts to escape, to exhaust and to lose labels",
    columns: ["about", "number", "as expected", "target", "verdict"],
    rows: [...lines, ["the host is unchanged", "", unchanged ? "yes" : "no", "yes", unchanged ? "ok" : "over"]],
  };
}
