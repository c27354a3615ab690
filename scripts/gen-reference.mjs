import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./lib/files.mjs";
import { isMain } from "./lib/main.mjs";
import { loadSource } from "./reference/load-source.mjs";
import { pages } from "./reference/pages.mjs";

const notice = "<!-- Made by scripts/gen-reference.mjs from the source; `node scripts/gen-reference.mjs` makes it again. -->";

/** Writes the pages, or with `check` answers those that differ from what they should be. */
export async function generateReference(folder, { check = false } = {}) {
  const stale = [];
  const read = (source) => readFileSync(join(folder, source), "utf8");
  for (const { path, make } of pages) {
    const file = join(folder, path);
    const text = `${notice}\n\n${await make(read, loadSource)}\n`;
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    stale.push(path);
    if (check) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return stale;
}

if (isMain(import.meta.url)) {
  const check = process.argv.includes("--check");
  for (const path of await generateReference(root, { check })) {
    console.log(check ? `${path} is not up to date. Run node scripts/gen-reference.mjs.` : `${path} written`);
    if (check) process.exitCode = 1;
  }
}
