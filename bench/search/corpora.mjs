import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The sets of a folder: `{ name, tools, queries }`, a tool as `createToolIndex` takes it, with its id, and a query as `{ query, gold, goldAny }`.
 * `dev/<set>/corpus.jsonl` and `queries.jsonl` are read; a folder without `dev` holds the sets itself.
 */
export function readSets(folder) {
  const place = existsSync(join(folder, "dev")) ? join(folder, "dev") : folder;
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(place, entry.name, "queries.jsonl")))
    .map(({ name }) => ({
      name,
      tools: readTools(join(place, name)),
      queries: readRows(join(place, name, "queries.jsonl")),
    }));
}

/** All tools of the corpora that `dev/merged.json` names; undefined where there is no such file. */
export function readMerged(folder) {
  const file = join(folder, "dev", "merged.json");
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, "utf8")).corpora.flatMap((corpus) => readTools(join(folder, corpus)));
}

function readTools(folder) {
  return readRows(join(folder, "corpus.jsonl")).map(({ id, name, description, inputSchema, category, server, serverDescription }) => ({
    id,
    name,
    description,
    ...(inputSchema && { inputSchema }),
    ...(category && { metadata: { category } }),
    ...(server && { server: `${server} ${serverDescription ?? ""}` }),
  }));
}

function readRows(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
