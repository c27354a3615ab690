import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { worstRequests } from "./worst-requests.mjs";

/** What the other caller may have to wait, 99 times of 100. */
const targetMs = 250;

/** What is not answered by then is given up, so that every row ends. */
const withinMs = 30_000;

/** A row for each of the worst requests: how they ended, and how long the other caller waited. */
export async function measureAttacks({ count, logged, only = () => true, isOver = () => false }) {
  const server = await startServer(logged);
  const rows = [];
  try {
    for (const { name, make } of worstRequests.filter(only)) {
      if (isOver()) break;
      const row = await measure(server, name, make === undefined ? 0 : count);
      console.error(row.join(" | "));
      rows.push(row);
    }
  } finally {
    server.close();
  }
  return {
    caption: `${count} at once, ${logged} calls in the log; the other caller calls a tool again and again meanwhile (target: p99 below ${targetMs} ms)`,
    columns: ["request", "outcome", "largest answer", "other p50", "other p99", "loop stood still", "memory", "verdict"],
    rows,
  };
}

async function measure(server, name, count) {
  const hostile = count === 0 ? undefined : await startHostile(server, name, count);
  await server.ask();
  let isDone = hostile === undefined;
  const attack = (hostile?.begin() ?? Promise.resolve([])).finally(() => (isDone = true));
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

/** Settles when its requests are made; `begin` sends them all at once, and settles with how each ended. */
async function startHostile({ url, keys }, name, count) {
  const worker = new Worker(new URL("./hostile.mjs", import.meta.url), { workerData: { url, key: keys.hostile, name, count, withinMs } });
  await once(worker, "message");
  return {
    async begin() {
      worker.postMessage("begin");
      const [outcomes] = await once(worker, "message");
      return outcomes;
    },
  };
}

const agent = new http.Agent({ keepAlive: true });
const probeBody = '{"input":{"message":"hello"}}';

/** How long the other caller waits for a small call; one that is not answered counts as the longest wait. */
function probe({ url, keys }) {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/api/v1/tools/echo/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.other}`, "content-type": "application/json", "content-length": probeBody.length },
      agent,
    });
    const timer = setTimeout(() => {
      resolve(withinMs);
      request.destroy();
    }, withinMs);
    request.on("response", (response) => {
      response.resume();
      response.on("end", () => {
        clearTimeout(timer);
        if (response.statusCode === 200) resolve(performance.now() - startedAt);
        else reject(new Error(`The other caller was answered ${response.statusCode}.`));
      });
    });
    request.on("error", (error) => {
      clearTimeout(timer);
      // The server may close a connection that was idle just when it is used again.
      if (request.reusedSocket && error.code === "ECONNRESET") resolve(probe({ url, keys }));
      else resolve(withinMs);
    });
    request.end(probeBody);
  });
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
