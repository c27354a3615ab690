import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** Keeps the tables of a benchmark in bench/results, where git keeps them, with further `facts`; says nothing about the machine but its Node. */
export function keepResult(name, tables, facts = {}) {
  const file = resultPath(name);
  mkdirSync(dirname(file), { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(file, `${JSON.stringify({ name, node: process.version, date, ...facts, tables }, undefined, 2)}\n`);
}

/** What was kept last: `{ name, node, date, tables }`. */
export function readResult(name) {
  const file = resultPath(name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

export function currentCommit() {
  try {
    return execFileSync("git", ["rev-parse", "--short=12", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

function resultPath(name) {
  return fileURLToPath(new URL(`../results/${name}.json`, import.meta.url));
}
