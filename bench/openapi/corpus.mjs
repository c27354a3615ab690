import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { validateValue } from "@toolrack/json-schema";
import { readOpenApi } from "@toolrack/openapi";
import yaml from "yaml";
import { compareRequests, loadSwaggerClient } from "./requests.mjs";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Scores a folder of documents. Every request of `fetch` while reading is counted: there must be none. */
export async function corpusTables(folder, { documents, perDocument }) {
  const all = readdirSync(folder, { recursive: true })
    .filter((file) => /\.(?:json|ya?ml)$/.test(file))
    .toSorted();
  const step = Math.max(1, Math.ceil(all.length / documents));
  const files = all.filter((_, index) => index % step === 0);
  const SwaggerClient = loadSwaggerClient();
  const score = newScore();
  const fetchOfNode = globalThis.fetch;
  globalThis.fetch = (...args) => (score.fetches++, fetchOfNode(...args));
  try {
    for (const file of files) scoreDocument(join(folder, file), relative(folder, join(folder, file)), score, SwaggerClient, perDocument);
  } finally {
    globalThis.fetch = fetchOfNode;
  }
  const { peerTable } = await import("./peers/peers.mjs");
  return [summary(score, files.length, SwaggerClient), reasons(score), slowest(score), await peerTable(folder, files)];
}

function newScore() {
  const numbers = {
    read: 0,
    operations: 0,
    imported: 0,
    unaccounted: 0,
    tools: 0,
    names: 0,
    schemas: 0,
    compared: 0,
    same: 0,
    fetches: 0,
    cpuMs: 0,
    jsonOperations: 0,
    peakMb: 0,
    bytes: 0,
  };
  return { ...numbers, failed: [], refused: new Map(), different: [], times: [] };
}

function scoreDocument(path, name, score, SwaggerClient, perDocument) {
  const text = readFileSync(path, "utf8");
  const before = process.cpuUsage();
  let read;
  try {
    read = readOpenApi(text);
  } catch (error) {
    score.failed.push(`${name}: ${error.message}`);
    return;
  }
  const spent = process.cpuUsage(before).user / 1_000;
  score.read++;
  score.bytes += text.length;
  const root = path.endsWith(".json") ? JSON.parse(text) : yaml.parse(text);
  const operations = Math.max(countOperations(root), read.document.operations);
  if (path.endsWith(".json")) {
    score.cpuMs += spent;
    score.jsonOperations += operations;
  }
  score.times.push({ name, operations, ms: spent });
  score.operations += operations;
  score.imported += read.tools.length;
  score.unaccounted += Math.max(0, operations - read.tools.length - read.refused.length);
  for (const { reason } of read.refused) {
    const kind = reason.replaceAll(/"[^"]*"/g, '"…"').slice(0, 80);
    score.refused.set(kind, (score.refused.get(kind) ?? 0) + 1);
  }
  scoreTools(read.tools, root, score, SwaggerClient, perDocument, name);
  score.peakMb = Math.max(score.peakMb, process.memoryUsage().rss / 1_000_000);
}

function scoreTools(tools, root, score, SwaggerClient, perDocument, document) {
  const taken = new Set();
  const every = Math.max(1, Math.floor(tools.length / perDocument));
  for (const [index, tool] of tools.entries()) {
    score.tools++;
    const isNamed = /^[A-Za-z0-9_-]{1,64}$/.test(tool.name) && !taken.has(tool.name);
    taken.add(tool.name);
    if (isNamed && Object.keys(tool.inputSchema.properties).every((key) => /^[a-zA-Z0-9_.-]{1,64}$/.test(key))) score.names++;
    try {
      validateValue(tool.inputSchema, {});
      score.schemas++;
    } catch {
      // Not counted.
    }
    if (SwaggerClient === undefined || index % every !== 0) continue;
    const compared = compareRequests(root, tool, SwaggerClient);
    if (compared.isSame === undefined) continue;
    score.compared++;
    if (compared.isSame) score.same++;
    else if (score.different.length < 200) score.different.push({ document, tool: tool.name, ...compared });
  }
}

function countOperations({ paths = {} }) {
  return Object.values(paths).reduce((sum, item) => sum + methods.filter((method) => item?.[method] !== undefined).length, 0);
}

function summary(score, files, SwaggerClient) {
  const share = (part, whole) => (whole === 0 ? "none" : `${((100 * part) / whole).toFixed(2)} %`);
  const verdict = (isRight) => (isRight ? "ok" : "over");
  const perThousand = (score.cpuMs / Math.max(1, score.jsonOperations)) * 1_000;
  if (process.env.TOOLRACK_SHOW_DIFFERENT) for (const one of score.different.slice(0, 40)) console.log(one);
  return {
    caption: `${files} documents, ${score.operations} operations, ${Math.round(score.bytes / 1e6)} MB`,
    columns: ["what", "value", "target", "verdict"],
    rows: [
      ["documents read", share(score.read, files), "100 %", verdict(score.read === files)],
      ["operations imported", share(score.imported, score.operations), "≥ 99.5 %", verdict(score.imported >= 0.995 * score.operations)],
      ["operations neither imported nor refused", String(score.unaccounted), "0", verdict(score.unaccounted === 0)],
      ["names of tools and properties valid and unique", share(score.names, score.tools), "100 %", verdict(score.names === score.tools)],
      [
        "input schemas that validateValue takes",
        share(score.schemas, score.tools),
        "≥ 99.5 %",
        verdict(score.schemas >= 0.995 * score.tools),
      ],
      SwaggerClient === undefined
        ? ["requests equal to swagger-client's", "not installed", "≥ 99 %", ""]
        : [
            `requests equal to swagger-client's (${score.compared} compared)`,
            share(score.same, score.compared),
            "≥ 99 %",
            verdict(score.same >= 0.99 * score.compared),
          ],
      ["fetches while reading", String(score.fetches), "0", verdict(score.fetches === 0)],
      ["processor time for 1,000 operations from JSON", `${(perThousand / 1_000).toFixed(2)} s`, "≤ 2 s", verdict(perThousand <= 2_000)],
      ["largest memory", `${Math.round(score.peakMb)} MB`, "", ""],
    ],
  };
}

function reasons(score) {
  const rows = [...score.refused]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 15)
    .map(([reason, count]) => [reason, String(count)]);
  return { caption: "Refused, by reason", columns: ["reason", "operations"], rows: rows.length === 0 ? [["nothing", "0"]] : rows };
}

function slowest(score) {
  const rows = score.times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 5)
    .map(({ name, operations, ms }) => [name, String(operations), `${Math.round(ms)} ms`]);
  return { caption: "The documents that take longest", columns: ["document", "operations", "processor time"], rows };
}
