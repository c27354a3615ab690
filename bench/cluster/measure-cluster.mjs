import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleStore } from "../lib/bundle.mjs";
import { startDelayingProxy } from "./delaying-proxy.mjs";
import { fitModel, predict } from "./model.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const child = fileURLToPath(new URL("./server-child.mjs", import.meta.url));
const callers = 16;
/** One way: a round trip takes twice as long. */
const delayMs = 1;

const parts = [
  { work: "calls", servers: 1, target: 1.5 },
  { work: "calls", servers: 2 },
  { work: "calls", servers: 8, target: 3 },
  { work: "records", servers: 1, target: 4 },
  { work: "records", servers: 4, target: 4 },
  { work: "keyed", servers: 1, target: 4 },
];

export async function measureCluster({ against, seconds }) {
  const { postgres } = await bundleStore("cluster");
  const server = await (await import(postgres)).startPostgres();
  const address = new URL(server.connectionString);
  const proxy = await startDelayingProxy({ host: address.hostname, port: Number(address.port) }, delayMs);
  const near = server.connectionString;
  address.hostname = "127.0.0.1";
  address.port = String(proxy.port);
  const far = address.href;
  try {
    const folders = { now: root, ...(against !== undefined && { before: path.resolve(against) }) };
    const subjects = [];
    for (const [name, folder] of Object.entries(folders)) subjects.push({ name, storeModule: await bundleOf(folder) });
    const measured = [];
    for (const part of parts) {
      const found = {};
      // One after the other in each part, so that what disturbs the machine disturbs both.
      for (const { name, storeModule } of subjects) found[name] = await measure({ ...part, storeModule, connectionString: far, seconds });
      measured.push({ ...part, ...found });
      console.error(
        `${part.work}, ${part.servers}: ${Object.entries(found)
          .map(([name, { rate }]) => `${name} ${rate.toFixed(0)}/s`)
          .join(", ")}`,
      );
    }
    const streams = {};
    for (const { name, storeModule } of subjects) {
      streams[name] = [];
      for (const count of [10, 1_000]) streams[name].push(await countStreams({ storeModule, connectionString: near, count }));
    }
    return [toTable(measured), toStreams(streams), toModel(measured)];
  } finally {
    proxy.close();
    await server.stop();
  }
}

/** The store of a checkout, from its source. */
async function bundleOf(folder) {
  const bundle = await import(pathToFileURL(path.join(folder, "bench/lib/bundle.mjs")).href);
  return (await bundle.bundleStore("cluster")).store;
}

async function start(options) {
  const running = fork(child, [JSON.stringify({ ...options, callers })], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  await once(running, "message");
  return running;
}

async function stop(running) {
  const ended = once(running, "exit");
  running.send("end");
  await ended;
}

async function measure({ work, servers, storeModule, connectionString, seconds }) {
  const schema = `cluster_${Date.now().toString(36)}`;
  const all = [];
  // The first one makes the tables.
  const open = (index) => start({ storeModule, connectionString, schema, work, seconds, name: `server-${index}` });
  all.push(await open(0));
  all.push(...(await Promise.all(Array.from({ length: servers - 1 }, (_, index) => open(index + 1)))));
  const answers = all.map(async (running) => (await once(running, "message"))[0]);
  for (const running of all) running.send("go");
  const outcomes = await Promise.all(answers);
  await Promise.all(all.map(stop));
  const rate = outcomes.reduce((sum, { done }) => sum + done, 0) / seconds;
  return { rate, p50: outcomes.map(({ p50 }) => p50).sort((a, b) => a - b)[Math.floor(servers / 2)] };
}

async function countStreams({ storeModule, connectionString, count }) {
  const schema = `streams_${Date.now().toString(36)}`;
  const running = await start({ storeModule, connectionString, schema, work: "records", seconds: 0, name: "server" });
  running.send({ streams: count });
  const [{ queries }] = await once(running, "message");
  await stop(running);
  return { count, queries };
}

function toTable(measured) {
  return {
    caption: `Round trip of ${2 * delayMs} ms to PostgreSQL, ${callers} callers on each server; per second, and the median in ms`,
    columns: ["work", "servers", "now", "p50", "before", "p50", "ratio", "target", "verdict"],
    rows: measured.map(({ work, servers, target, now, before }) => {
      const ratio = before === undefined ? undefined : now.rate / before.rate;
      const verdict = target === undefined || ratio === undefined ? "" : ratio >= target ? "ok" : "under";
      const earlier = before === undefined ? ["", ""] : [before.rate.toFixed(0), before.p50.toFixed(0)];
      return [
        work,
        String(servers),
        now.rate.toFixed(0),
        now.p50.toFixed(0),
        ...earlier,
        ratio === undefined ? "" : `${ratio.toFixed(2)}×`,
        target === undefined ? "" : `≥ ${target}×`,
        verdict,
      ];
    }),
  };
}

function toStreams(streams) {
  return {
    caption: "Queries for 20 records that are written one after another, the writes included, by open streams on one server",
    columns: ["streams", ...Object.keys(streams)],
    rows: [0, 1].map((index) => [streams.now[index].count, ...Object.values(streams).map((counts) => counts[index].queries)].map(String)),
  };
}

function toModel(measured) {
  const rows = [];
  for (const subject of ["now", "before"]) {
    const own = measured.filter((part) => part.work === "calls" && part[subject] !== undefined);
    if (own.length === 0) continue;
    const rateOf = (servers) => own.find((part) => part.servers === servers)[subject].rate;
    const parameters = fitModel(
      [1, 2].map((servers) => ({ servers, rate: rateOf(servers) })),
      callers,
    );
    const predicted = predict({ servers: 8, callers, ...parameters });
    const off = predicted / rateOf(8) - 1;
    const fitted = `${parameters.ownMs.toFixed(1)} + ${parameters.sharedMs.toFixed(2)}`;
    rows.push([subject, fitted, "8", predicted.toFixed(0), rateOf(8).toFixed(0), `${(off * 100).toFixed(0)} %`]);
  }
  return {
    caption:
      "The event model, fitted to one and two servers: a page takes so many ms of its server's own time, and so many of what all share",
    columns: ["code", "own + shared ms", "servers", "predicted", "measured", "off"],
    rows,
  };
}
