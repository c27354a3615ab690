import { Worker } from "node:worker_threads";

export const title = "Requests made from the schemas of every route, by callers with and without roles, beside a caller who waits";

/**
 * Rounds over all routes until the time is over. A route with a fault is "over", and so is memory that keeps growing, or another caller
 * who waits too long. The server has a thread of its own.
 */
export async function run({ seconds, seed }) {
  const [{ routes }, { fuzzRoutes }] = await Promise.all([import("../../packages/server/dist/index.js"), import("../fuzz/routes.mjs")]);
  const server = await startServer();
  const until = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > until;
  const given = {
    routes: routes.filter(({ id }) => !server.outward.includes(id)),
    ask: server.ask,
    callers: server.callers,
    secrets: server.secrets,
  };
  const byRoute = new Map();
  for (let round = 0; !isOver(); round++) {
    const rows = await fuzzRoutes({
      ...given,
      rounds: 5,
      seed: seed + round * 1_000,
      isOver,
    });
    for (const row of rows) byRoute.set(row.route, added(byRoute.get(row.route), row));
  }
  const { waits, largest } = await server.end();
  for (const { route, faults } of byRoute.values())
    for (const { fault, request, answer } of faults) console.error(`${route}: ${fault}\n  request ${request}\n  answer  ${answer}`);
  return [toTable([...byRoute.values()]), meanwhile(waits, largest)];
}

/** Requests go to the thread of the server and come back as answers. */
async function startServer() {
  const worker = new Worker(new URL("../fuzz/route-server.mjs", import.meta.url));
  const asked = new Map();
  let last = 0;
  const send = (request) =>
    new Promise((resolve, reject) => {
      asked.set(++last, { resolve, reject });
      worker.postMessage({ id: last, request });
    });
  const facts = await new Promise((resolve, reject) => {
    worker.on("message", ({ ready, id, answer, error }) => {
      if (ready !== undefined) return resolve(ready);
      const { resolve: answered, reject: failed } = asked.get(id);
      asked.delete(id);
      if (error === undefined) answered(answer);
      else failed(new Error(error));
    });
    worker.once("error", (error) => {
      reject(error);
      for (const { reject: failed } of asked.values()) failed(error);
    });
  });
  return { ...facts, ask: send, end: () => send(undefined) };
}

function added(known, row) {
  if (known === undefined) return row;
  const sum = { ...known, faults: [...known.faults, ...row.faults].slice(0, 5) };
  for (const field of ["requests", "ok", "refused", "failed"]) sum[field] += row[field];
  return sum;
}

function toTable(rows) {
  return {
    caption: "Each route",
    columns: ["route", "requests", "ok", "refused", "failed", "faults", "verdict"],
    rows: rows.map(({ route, requests, ok, refused, failed, faults }) => [
      route,
      ...[requests, ok, refused, failed, faults.length].map(String),
      faults.length === 0 ? "ok" : "over",
    ]),
  };
}

/** What another caller may wait for while every route is asked for wrong things. */
const maxP99Ms = 250;

function meanwhile(waits, largestBytes) {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.POSITIVE_INFINITY;
  const largest = largestBytes / 1e6;
  return {
    caption: "Meanwhile",
    columns: ["what", "measured", "target", "verdict"],
    rows: [
      ["another caller's p50", `${at(0.5).toFixed(1)} ms`, "", ""],
      ["another caller's p99", `${at(0.99).toFixed(1)} ms`, `≤ ${maxP99Ms} ms`, at(0.99) <= maxP99Ms ? "ok" : "over"],
      ["the heap at its largest", `${largest.toFixed(0)} MB`, "≤ 512 MB", largest <= 512 ? "ok" : "over"],
    ],
  };
}
