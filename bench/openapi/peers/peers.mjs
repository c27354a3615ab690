import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { validateValue } from "@toolrack/json-schema";
import { readOpenApi } from "@toolrack/openapi";
import { importers } from "./importers.mjs";

const most = 100;
const largest = 1_000_000;

/** Other importers beside ours, on every so many of the documents up to 1 MB. Those that are not run are named, with why. */
export async function peerTable(folder, files) {
  const small = files.filter((file) => file.endsWith(".json") && statSync(join(folder, file)).size <= largest);
  const step = Math.max(1, Math.floor(small.length / most));
  const chosen = small.filter((_, index) => index % step === 0).slice(0, most);
  const rows = [await score("@toolrack/openapi", chosen, folder, (path) => readOpenApi(readFileSync(path, "utf8")).tools)];
  for (const { name, open } of importers) {
    try {
      const opened = await quietly(open);
      rows.push(await score(opened.name ?? name, chosen, folder, opened.importTools));
      opened.close?.();
    } catch (error) {
      rows.push([name, `not run: ${error.message.split("\n")[0].slice(0, 100)}`, "", "", "", ""]);
    }
  }
  const columns = ["importer", "documents read", "operations imported", "tool names", "property names", "schemas that validateValue takes"];
  return { caption: `Importers on ${chosen.length} documents of at most 1 MB; shares of all operations`, columns, rows };
}

async function score(name, files, folder, importTools) {
  const counts = { read: 0, operations: 0, imported: 0, names: 0, properties: 0, schemas: 0 };
  for (const file of files) {
    const path = join(folder, file);
    counts.operations += countOperations(JSON.parse(readFileSync(path, "utf8")));
    try {
      const tools = await quietly(() => importTools(path));
      counts.read++;
      scoreTools(tools, counts);
    } catch {
      // The whole document is lost.
    }
  }
  const share = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  const { read, operations, imported, names, properties, schemas } = counts;
  return [name, share(read, files.length), ...[imported, names, properties, schemas].map((count) => share(count, operations))];
}

function scoreTools(tools, counts) {
  const taken = new Set();
  for (const { name, inputSchema } of tools) {
    counts.imported++;
    if (/^[A-Za-z0-9_-]{1,64}$/.test(name) && !taken.has(name)) counts.names++;
    taken.add(name);
    if (Object.keys(inputSchema?.properties ?? {}).every((key) => /^[a-zA-Z0-9_.-]{1,64}$/.test(key))) counts.properties++;
    try {
      validateValue(JSON.parse(JSON.stringify(inputSchema)), {});
      counts.schemas++;
    } catch {
      // Not counted.
    }
  }
}

function countOperations({ paths = {} }) {
  const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
  return Object.values(paths).reduce((sum, item) => sum + methods.filter((method) => item?.[method] !== undefined).length, 0);
}

/** Importers write what they skip to the console. */
async function quietly(run) {
  const { log, warn, error } = console;
  Object.assign(console, { log: () => undefined, warn: () => undefined, error: () => undefined });
  try {
    return await run();
  } finally {
    Object.assign(console, { log, warn, error });
  }
}
