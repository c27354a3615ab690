import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { listBenchmarks, loadBenchmark } from "./lib/benchmarks.mjs";
import { readResult } from "./lib/results.mjs";
import { formatTable } from "./lib/table.mjs";

if (process.argv.includes("--run")) runAll(process.argv.slice(2).filter((argument) => argument !== "--run"));
else await list();

async function list() {
  for (const name of listBenchmarks()) {
    const { title } = await loadBenchmark(name);
    const kept = readResult(name);
    console.log(`npm run bench:${name}\n${title}`);
    console.log(kept ? `Kept ${kept.date}, Node ${kept.node.replace("v", "")}\n` : "Nothing kept yet.\n");
    for (const table of kept?.tables ?? []) console.log(`${formatTable(table).replace(/^/gm, "  ")}\n`);
  }
  console.log("npm run bench -- --run           runs all, one after the other");
  console.log("npm run bench:<name> -- --keep   keeps the table in bench/results");
}

/** Each in a process of its own, so that none warms up or burdens the next. */
function runAll(args) {
  const script = fileURLToPath(new URL("./run.mjs", import.meta.url));
  for (const name of listBenchmarks()) {
    const { status } = spawnSync(process.execPath, [script, name, ...args], { stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
}
