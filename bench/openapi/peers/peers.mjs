import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { validateValue } from "@toolrack/json-schema";
import { readOpenApi } from "@toolrack/openapi";
import { install, isInstallStale } from "../../../scripts/lib/install.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const most = 100;
const largest = 1_000_000;

/** Other importers beside ours, on every so many of the documents up to 1 MB. Those that cannot be installed are named. */
export async function peerTable(folder, files) {
  const small = files.filter((file) => file.endsWith(".json") && statSync(join(folder, file)).size <= largest);
  const step = Math.max(1, Math.floor(small.length / most));
  const chosen = small.filter((_, index) => index % step === 0).slice(0, most);
  const rows = [await score("@toolrack/openapi", chosen, folder, (path) => readOpenApi(readFileSync(path, "utf8")).tools)];
  const generator = await loadGenerator();
  rows.push(
    generator === undefined
      ? ["openapi-mcp-generator", "not installed", "", "", "", ""]
      : await score("openapi-mcp-generator 4.0.1", chosen, folder, (path) => generator(path)),
  );
  const columns = ["importer", "documents read", "operations imported", "tool names", "property names", "schemas that validateValue takes"];
  return { caption: `Importers on ${chosen.length} documents of at most 1 MB; shares of all operations`, columns, rows };
}

async function loadGenerator() {
  try {
    if (isInstallStale(here)) await install(here, ["--ignore-scripts"]);
    const load = createRequire(join(here, "package.json"));
    const { getToolsFromOpenApi } = await import(pathToFileURL(load.resolve("openapi-mcp-generator/dist/api.js")).href);
    return getToolsFromOpenApi;
  } catch {
    return undefined;
  }
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
