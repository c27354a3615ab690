import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, root } from "../lib/files.mjs";

/** Files that may name the rows they show: tests, contract suites, files that have to compile, and examples. */
const mayBeTagged = /^(packages\/[^/]+\/(test|src\/testing)|scripts\/test|bench\/test|examples)\/.*[.](tsx?|mjs)$/;

/** Those that do, as `{ path, text }`. */
export function readTagged() {
  return listFiles(root)
    .filter((path) => mayBeTagged.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    .filter(({ text }) => text.includes("// row: "));
}
