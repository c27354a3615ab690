import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./lib/files.mjs";
import { isMain } from "./lib/main.mjs";
import { loadSource } from "./reference/load-source.mjs";
import { measuredTable } from "./reference/measured.mjs";
import { pages } from "./reference/pages.mjs";
import { serverJson } from "./reference/server-json.mjs";

const notice = "<!-- Made by scripts/gen-reference.mjs from the source; `node scripts/gen-reference.mjs` makes it again. -->";

/** Writes the pages, or with `check` answers those that differ from what they should be. */
export async function generateReference(folder, { check = false } = {}) {
  const stale = [];
  const read = (source) => readFileSync(join(folder, source), "utf8");
  const put = (path, text) => {
    const file = join(folder, path);
    if (existsSync(file) && readFileSync(file, "utf8") === text) return;
    stale.push(path);
    if (check) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const { path, make } of pages) put(path, `${notice}\n\n${await make(read, loadSource)}\n`);
  put("server.json", serverJson(read));
  put("README.md", withMeasured(read("README.md"), measuredTable(read)));
  return stale;
}

/** The table between the marks is made; everything else is written by hand. */
function withMeasured(page, table) {
  const marks = /(<!-- measured -->\n).*?(\n<!-- \/measured -->)/s;
  if (!marks.test(page)) throw new Error("README.md has no <!-- measured --> … <!-- /measured -->.");
  return page.replace(marks, (_, before, after) => before + table + after);
}

if (isMain(import.meta.url)) {
  const check = process.argv.includes("--check");
  for (const path of await generateReference(root, { check })) {
    console.log(check ? `${path} is not up to date. Run node scripts/gen-reference.mjs.` : `${path} written`);
    if (check) process.exitCode = 1;
  }
}
