import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programMistake, tableTools } from "../../packages/code/test/support/programs.mjs";
import { loadCode } from "./load.mjs";

export async function programsTable(folder, verbose = false) {
  const { tools, programs } = JSON.parse(readFileSync(join(folder, "programs.json"), "utf8"));
  const { runProgram } = await loadCode();
  let right = 0;
  for (const tracked of [false, true]) {
    for (const program of programs) {
      const result = await runProgram(program.source, { tools: tableTools(tools), ...(tracked ? { labels: {} } : {}) });
      const mistake = programMistake(program, result);
      if (mistake === undefined) right++;
      else if (verbose) console.log(`✗ ${program.id}: ${mistake}`);
    }
  }
  const count = programs.length * 2;
  return {
    caption: "Programs as models write them, without and with labels",
    columns: ["programs", "number", "right", "target", "verdict"],
    rows: [["value, calls and logs", String(count), String(right), String(count), right === count ? "ok" : "over"]],
  };
}
