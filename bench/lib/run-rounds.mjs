import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFiles } from "./run-files.mjs";

/**
 * Runs the long form of a test file that writes a line of JSON for each of its rounds, its tests on SQLite beside those on PostgreSQL. Answers
 * the rounds, and the names of what failed.
 */
export async function runRounds(file) {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-rounds-"));
  const lines = join(folder, "rounds.jsonl");
  const env = { ...process.env, TOOLRACK_LONG: "1", TOOLRACK_ROUNDS: lines };
  const both = await Promise.all(stores.map((store) => runFiles([file, "-t", `on ${store}`], env)));
  const text = existsSync(lines) ? readFileSync(lines, "utf8") : "";
  rmSync(folder, { recursive: true, force: true });
  const rounds = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  for (const { byFile } of both) for (const message of byFile.get(file)?.messages ?? []) console.error(message);
  const missing = stores.filter((store) => rounds.every(({ kind }) => kind !== store)).map((store) => `no round on ${store}`);
  return { rounds, named: [...both.flatMap(({ byFile }) => byFile.get(file)?.named ?? []), ...missing] };
}

const stores = ["SQLite", "PostgreSQL"];
