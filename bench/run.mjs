import { parseArgs } from "node:util";
import { orExit } from "../scripts/ready.mjs";
import { listBenchmarks, loadBenchmark } from "./lib/benchmarks.mjs";
import { benchReady } from "./lib/ready.mjs";
import { keepResult } from "./lib/results.mjs";
import { formatTable, isOver } from "./lib/table.mjs";

const name = process.argv[2];
if (!listBenchmarks().includes(name)) {
  console.error(`There is no benchmark "${name ?? ""}". There are: ${listBenchmarks().join(", ")}.`);
  process.exit(1);
}
const { title, run, prepare = benchReady, options = {} } = await loadBenchmark(name);
const { values, positionals: args } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: { keep: { type: "boolean", default: false }, only: { type: "string" }, ...options },
});
await orExit(prepare);
console.log(`${title}\n`);
const tables = await run(args, values);
for (const table of tables) console.log(`${formatTable(table)}\n`);
if (values.keep) keepResult(name, tables);
if (tables.some(isOver)) process.exitCode = 1;
