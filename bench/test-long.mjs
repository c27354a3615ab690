import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { currentCommit, keepResult } from "./lib/results.mjs";
import { formatTable, isOver } from "./lib/table.mjs";
import { orExit, ready } from "../scripts/ready.mjs";

/**
 * npm run test:long                              every long suite of bench/long, a minute each, but those that take hours
 * npm run test:long -- routes --seconds 600      one of them, for ten minutes
 * npm run test:long -- busy                      the whole suite three times on busy cores, and the tests of clocks fifty times; takes hours
 * npm run test:long -- sizes                     the long form of tests that npm test runs with fewer values, rows and rounds
 * npm run test:long -- properties                property tests with new values, and more of them
 * npm run test:long -- --keep                    keeps the tables of each suite in bench/results/long-<suite>.json, with the commit
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "20261115" },
    keep: { type: "boolean", default: false },
  },
});

const suites = readdirSync(new URL("long/", import.meta.url))
  .filter((file) => file.endsWith(".mjs"))
  .map((file) => file.slice(0, -4));
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
const unknown = positionals.filter((name) => !suites.includes(name));
if (unknown.length > 0 || !(seconds > 0) || !Number.isInteger(seed)) {
  console.error(`npm run test:long -- [${suites.join("] [")}] --seconds <more than 0> --seed <whole number> --keep`);
  process.exit(1);
}

await orExit(ready);
const tables = [];
for (const name of positionals.length > 0 ? positionals : suites) {
  const { title, run, onlyByName = false } = await import(`./long/${name}.mjs`);
  if (onlyByName && !positionals.includes(name)) continue;
  console.log(`${title} (${seconds} s, seed ${seed})\n`);
  const own = await run({ seconds, seed });
  for (const table of own) console.log(`${formatTable(table)}\n`);
  tables.push(...own);
  if (values.keep) keepResult(`long-${name}`, own, { commit: currentCommit(), seconds, seed });
}
process.exit(tables.some(isOver) ? 1 : 0);
