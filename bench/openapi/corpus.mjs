import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validateValue } from "@toolrack/json-schema";
import { readOpenApi } from "@toolrack/openapi";
import yaml from "yaml";
import { classOf, verdictOf } from "./differences.mjs";
import { compareRequests, loadSwaggerClient } from "./requests.mjs";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * Scores a folder of documents. What each one gave is a line of the file `state`, if there is one: a run that was ended goes on behind the
 * last line. Every request of `fetch` while reading is counted: there must be none.
 */
export async function corpusTables(folder, { documents, perDocument, state }) {
  const all = readdirSync(folder, { recursive: true })
    .filter((file) => /\.(?:json|ya?ml)$/.test(file))
    .toSorted();
  const step = Math.max(1, Math.ceil(all.length / documents));
  const files = all.filter((_, index) => index % step === 0);
  const scores = new Map(readState(state).map((score) => [score.file, score]));
  const SwaggerClient = loadSwaggerClient();
  const fetchOfNode = globalThis.fetch;
  let fetches = 0;
  globalThis.fetch = (...args) => (fetches++, fetchOfNode(...args));
  try {
    for (const file of files) {
      if (scores.has(file)) continue;
      fetches = 0;
      const score = { file, ...(await scoreDocument(join(folder, file), SwaggerClient, perDocument)) };
      scores.set(file, { ...score, fetches });
      if (state !== undefined) appendFileSync(state, `${JSON.stringify(scores.get(file))}\n`);
    }
  } finally {
    globalThis.fetch = fetchOfNode;
  }
  const scored = files.map((file) => scores.get(file));
  const { peerTable } = await import("./peers/peers.mjs");
  return [summary(scored, SwaggerClient), reasons(scored), differences(scored), slowest(scored), await peerTable(folder, files)];
}

function readState(file) {
  if (file === undefined || !existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line));
}

/** The user time of this process alone: another process on the machine does not count. */
async function scoreDocument(path, SwaggerClient, perDocument) {
  const text = readFileSync(path, "utf8");
  const isJson = path.endsWith(".json");
  const before = process.cpuUsage();
  let read;
  try {
    read = readOpenApi(text);
  } catch (error) {
    return { failed: error.message, bytes: text.length, isJson };
  }
  const cpuMs = process.cpuUsage(before).user / 1_000;
  const root = isJson ? JSON.parse(text) : yaml.parse(text);
  const operations = Math.max(countOperations(root), read.document.operations);
  const refused = {};
  for (const { reason } of read.refused) {
    const kind = reason.replaceAll(/"[^"]*"/g, '"…"').slice(0, 80);
    refused[kind] = (refused[kind] ?? 0) + 1;
  }
  return {
    bytes: text.length,
    isJson,
    cpuMs,
    operations,
    imported: read.tools.length,
    unaccounted: Math.max(0, operations - read.tools.length - read.refused.length),
    refused,
    rssMb: process.memoryUsage().rss / 1_000_000,
    ...(await scoreTools(read.tools, root, SwaggerClient, perDocument)),
  };
}

async function scoreTools(tools, root, SwaggerClient, perDocument) {
  const score = { names: 0, schemas: 0, compared: 0, same: 0, different: [] };
  const taken = new Set();
  const every = Math.max(1, Math.floor(tools.length / perDocument));
  for (const [index, tool] of tools.entries()) {
    // What is only weakly referred to is kept until the event loop turns.
    if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    const isNamed = /^[A-Za-z0-9_-]{1,64}$/.test(tool.name) && !taken.has(tool.name);
    taken.add(tool.name);
    if (isNamed && Object.keys(tool.inputSchema.properties).every((key) => /^[a-zA-Z0-9_.-]{1,64}$/.test(key))) score.names++;
    try {
      // A validator lives as long as its schema: that of the tool would be kept, and with it those of all tools of a document.
      validateValue({ ...tool.inputSchema }, {});
      score.schemas++;
    } catch {
      // Not counted.
    }
    if (SwaggerClient === undefined || index % every !== 0) continue;
    const compared = compareRequests(root, tool, SwaggerClient);
    if (compared.isSame === undefined) continue;
    score.compared++;
    if (compared.isSame) score.same++;
    else score.different.push({ tool: tool.name, ours: compared.ours, theirs: compared.theirs });
  }
  return score;
}

function countOperations({ paths = {} }) {
  return Object.values(paths).reduce((sum, item) => sum + methods.filter((method) => item?.[method] !== undefined).length, 0);
}

const sum = (scores, field) => scores.reduce((total, score) => total + (score[field] ?? 0), 0);

function summary(scores, SwaggerClient) {
  const share = (part, whole) => (whole === 0 ? "none" : `${((100 * part) / whole).toFixed(2)} %`);
  const verdict = (isRight) => (isRight ? "ok" : "over");
  const read = scores.filter(({ failed }) => failed === undefined);
  const fromJson = read.filter(({ isJson }) => isJson);
  const perThousand = (sum(fromJson, "cpuMs") / Math.max(1, sum(fromJson, "operations"))) * 1_000;
  const [operations, imported, compared] = ["operations", "imported", "compared"].map((field) => sum(scores, field));
  const row = (what, part, whole, target, least) => [what, share(part, whole), target, verdict(part >= least * whole)];
  if (process.env.TOOLRACK_SHOW_DIFFERENT)
    for (const { file, different = [] } of scores) for (const one of different) console.log({ file, ...one });
  return {
    caption: `${scores.length} documents, ${operations} operations, ${Math.round(sum(scores, "bytes") / 1e6)} MB`,
    columns: ["what", "value", "target", "verdict"],
    rows: [
      row("documents read", read.length, scores.length, "100 %", 1),
      row("operations imported", imported, operations, "≥ 99.5 %", 0.995),
      ["operations neither imported nor refused", String(sum(scores, "unaccounted")), "0", verdict(sum(scores, "unaccounted") === 0)],
      row("names of tools and properties valid and unique", sum(scores, "names"), imported, "100 %", 1),
      row("input schemas that validateValue takes", sum(scores, "schemas"), imported, "≥ 99.5 %", 0.995),
      SwaggerClient === undefined
        ? ["requests equal to swagger-client's", "not installed", "≥ 99 %", ""]
        : row(`requests equal to swagger-client's (${compared} compared)`, sum(scores, "same"), compared, "≥ 99 %", 0.99),
      ["fetches while reading", String(sum(scores, "fetches")), "0", verdict(sum(scores, "fetches") === 0)],
      ["processor time for 1,000 operations from JSON", `${(perThousand / 1_000).toFixed(2)} s`, "≤ 2 s", verdict(perThousand <= 2_000)],
      ["largest memory, with both builders", `${Math.round(Math.max(...scores.map(({ rssMb = 0 }) => rssMb)))} MB`, "", ""],
    ],
  };
}

function countsOf(entries) {
  const counts = new Map();
  for (const [key, count] of entries) counts.set(key, (counts.get(key) ?? 0) + count);
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}

function reasons(scores) {
  const rows = countsOf(scores.flatMap(({ refused = {} }) => Object.entries(refused)))
    .slice(0, 15)
    .map(([reason, count]) => [reason, String(count)]);
  return { caption: "Refused, by reason", columns: ["reason", "operations"], rows: rows.length === 0 ? [["nothing", "0"]] : rows };
}

function differences(scores) {
  const rows = countsOf(scores.flatMap(({ different = [] }) => different.map((one) => [classOf(one), 1]))).map(([what, count]) => [
    what,
    String(count),
    verdictOf(what),
  ]);
  const caption = "Requests that differ from swagger-client's";
  return { caption, columns: ["what differs", "requests", "which is right"], rows: rows.length === 0 ? [["nothing", "0", ""]] : rows };
}

function slowest(scores) {
  const rows = scores
    .toSorted((a, b) => (b.cpuMs ?? 0) - (a.cpuMs ?? 0))
    .slice(0, 5)
    .map(({ file, operations, cpuMs }) => [file, String(operations), `${Math.round(cpuMs)} ms`]);
  return { caption: "The documents that take longest", columns: ["document", "operations", "processor time"], rows };
}
