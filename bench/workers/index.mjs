import { spawnSync } from "node:child_process";
import { createRegistry, defineTool } from "@toolrack/core";
import { createIdentity, createMemoryBroker, serveWorker, workerSource } from "@toolrack/workers";
import { natsLink } from "@toolrack/workers/nats";
import { startBroker } from "./broker.mjs";
import { floodSlots, measureAway, measureFlood, slowTool } from "./faults.mjs";

export const title = "Workers: what a call on a worker adds to one at home, and what callers feel of a broker that is away and of a flood";

const rounds = 2_000;
/** More than this beside a call at home is too much. */
const targetMs = 1;

export async function run() {
  const tables = [];
  const rows = [await measure("at home", home)];
  rows.push(await measure("worker in this process, over memory", () => remote(memory())));
  const broker = spawnSync("nats-server", ["--version"], { stdio: "ignore" }).error === undefined ? await startBroker() : undefined;
  if (broker === undefined) rows.push({ name: "worker over NATS", notRun: "nats-server is missing" });
  else {
    rows.push(await measure("worker over NATS", () => remote(nats(broker.url))));
    tables.push(await measureFaults(broker, measureFlood));
    // The last one ends the broker.
    tables.push(await measureFaults(broker, measureAway));
  }
  const [{ p50: base }] = rows;
  return [
    {
      caption: `One call after the other, ${rounds} of them`,
      columns: ["where the handler runs", "p50", "p95", "more than at home (p50)", "target", "verdict"],
      rows: rows.map(({ name, p50, p95, notRun }) => {
        if (notRun !== undefined) return [name, "not run", "", "", "", notRun];
        const added = p50 - base;
        return [name, ms(p50), ms(p95), ms(added), `< ${ms(targetMs)}`, added < targetMs ? "ok" : "over"];
      }),
    },
    ...tables,
  ];
}

async function measureFaults(broker, work) {
  const { registry, close } = await remote(nats(broker.url), { tools: [tool, slowTool], slots: floodSlots });
  const table = await work({ registry, end: () => broker.stop() });
  await close();
  return table;
}

const tool = defineTool({
  name: "double",
  description: "Doubles a number.",
  inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  handler: ({ n }) => ({ doubled: n * 2 }),
});

async function home() {
  const registry = createRegistry();
  registry.register(tool);
  return { registry, close: () => registry.close() };
}

function memory() {
  const broker = createMemoryBroker();
  return async () => broker.connect();
}

function nats(url) {
  return () => natsLink({ servers: url });
}

async function remote(connect, { tools = [tool], slots } = {}) {
  const [server, worker] = [createIdentity(), createIdentity()];
  const links = [await connect(), await connect()];
  const served = await serveWorker({
    link: links[0],
    tools,
    ...(slots !== undefined && { slots }),
    pool: "bench",
    privateKey: worker.privateKey,
    servers: [server.publicKey],
  });
  const registry = createRegistry();
  await registry.addSource(workerSource({ link: links[1], pool: "bench", privateKey: server.privateKey, workers: [worker.publicKey] }));
  return {
    registry,
    async close() {
      await registry.close();
      await served.close();
      for (const link of links) await link.close();
    },
  };
}

async function measure(name, open) {
  const { registry, close } = await open();
  const times = [];
  for (let round = -200; round < rounds; round++) {
    const start = performance.now();
    const result = await registry.invoke("double", { n: round });
    if (!result.ok) throw new Error(result.error);
    if (round >= 0) times.push(performance.now() - start);
  }
  await close();
  times.sort((a, b) => a - b);
  return { name, p50: times[Math.floor(rounds * 0.5)], p95: times[Math.floor(rounds * 0.95)] };
}

function ms(value) {
  return `${value.toFixed(3)} ms`;
}
