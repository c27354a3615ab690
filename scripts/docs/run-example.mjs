import { join } from "node:path";
import { runNode } from "../lib/run.mjs";

/** "examples/tour" → the file that it is built to. */
export function builtExample(root, path) {
  return join(root, path.replace(/^examples\//, "examples/.build/"), "index.js");
}

/** Runs an example as it is built, once for each `printed`, which keeps `{ code, output }` by path. */
export function runExample(root, path, printed) {
  const known = printed.get(path);
  if (known !== undefined) return known;
  const running = runNode([builtExample(root, path)], { cwd: root, timeout: longestMs });
  printed.set(path, running);
  return running;
}

/** No example takes more than seconds: this ends one that leaves something open, so that its process cannot end. */
const longestMs = 300_000;
