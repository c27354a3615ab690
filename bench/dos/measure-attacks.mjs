import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { worstRequests } from "./worst-requests.mjs";

/** What the other caller may have to wait, 99 times of 100. */
const targetMs = 250;

/** A row for each of the worst requests: how they ended, and how long the other caller waited. */
export async function measureAttacks({ count, logged, only = () => true, isOver = () => false }) {
  const server = await startServer(logged);
  const rows = [];
  try {
    for (const { name, make } of worstRequests.filter(only)) {
      if (isOver()) break;
      if (process.stderr.isTTY) console.error(name);
      rows.push(await measure(server, name, make === undefined ? [] : Array.from({ length: count }, (_, number) => make(number))));
    }
  } finally {
    server.close();
  }
  return {
    caption: `${count} at once; the other caller calls a tool again and again meanwhile (target: p99 below ${targetMs} ms)`,
    columns: ["request", "outcome", "largest answer", "other p50", "other p99", "loop stood still", "memory", "verdict"],
    rows,
  };
}

async function measure(server, name, requests) {
  await server.ask();
  let isDone = requests.length === 0;
  const attack =
    requests.length === 0
      ? []
      : new Promise((resolve, reject) => {
          const worker = new Worker(new URL("./hostile.mjs", import.meta.url), {
            workerData: { url: server.url, key: server.keys.hostile, requests },
          });
          worker.once("message", (outcomes) => {
            isDone = true;
            resolve(outcomes);
          });
          worker.once("error", reject);
        });
  const waits = [];
  while (!isDone || waits.length < leastProbes) {
    waits.push(await probe(server));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const outcomes = await attack;
  const { delayMs, memory } = await server.ask();
  waits.sort((a, b) => a - b);
  const at = (share) => waits[Math.min(waits.length - 1, Math.ceil(waits.length * share) - 1)];
  const p99 = at(0.99);
  return [
    name,
    summary(outcomes),
    bytes(Math.max(0, ...outcomes.map((one) => one.bytes))),
    ms(at(0.5)),
    ms(p99),
    ms(delayMs),
    bytes(memory),
    p99 < targetMs ? "ok" : "over",
  ];
}

const leastProbes = 100;

/** How long the other caller waits for a small call. */
async function probe({ url, keys }) {
  const startedAt = performance.now();
  const response = await fetch(`${url}/api/v1/tools/echo/call`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.other}`, "content-type": "application/json" },
    body: '{"input":{"message":"hello"}}',
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`The other caller was answered ${response.status}.`);
  return performance.now() - startedAt;
}

function summary(outcomes) {
  const counts = new Map();
  for (const { status } of outcomes) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(", ") || "none";
}

function ms(value) {
  return `${value >= 10 ? Math.round(value) : value.toFixed(1)} ms`;
}

function bytes(value) {
  return value < 1_000 ? `${value} B` : value < 1e6 ? `${Math.round(value / 1e3)} kB` : `${(value / 1e6).toFixed(1)} MB`;
}

export async function startServer(logged) {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-dos-"));
  const child = fork(new URL("./server-child.mjs", import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const next = () =>
    new Promise((resolve, reject) => {
      const gone = () => reject(new Error("The server ended."));
      child.once("exit", gone);
      child.once("message", (message) => {
        child.off("exit", gone);
        resolve(message);
      });
    });
  child.send({ modules: { server: new URL("../../packages/server/dist/index.js", import.meta.url).href }, folder, logged });
  const { url, keys } = await next();
  return {
    url,
    keys,
    ask() {
      child.send("measure");
      return next();
    },
    close() {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
