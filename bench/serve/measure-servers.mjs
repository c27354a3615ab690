import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../lib/measure.mjs";
import { placeFor } from "../lib/peers.mjs";
import { times } from "../lib/table.mjs";
import { bundleServer } from "../lib/bundle.mjs";
import { abandonStreams, load } from "./load.mjs";
import { input } from "./setting.mjs";

const bare = { path: "/forecast", body: input };
const call = { path: "/api/v1/tools/forecast/call", body: { input } };
const unit = "a bare hono route";
const subjects = [
  { name: unit, kind: "hono", ...bare },
  { name: "a bare Fastify route", kind: "fastify", needs: ["fastify"], ...bare },
  { name: "Toolrack, in memory", kind: "memory", target: 0.5, ...call },
  { name: "Toolrack on SQLite", kind: "sqlite", target: 0.5, ...call },
  { name: "Toolrack on SQLite, with its log", kind: "logged", ...call },
];

/** How many clients ask at the same time, each again as soon as it has its answer. */
const loads = [100, 32];
const rounds = 25;
const perRound = 1_500;
/** Until the compiler has seen all of it: a server runs for days. */
const warmUp = 10_000;

/** Each server in a process of its own; one round after the other, each server once in every round. */
export async function measureServers({ calls, streams }) {
  const modules = await bundleServer();
  const folder = mkdtempSync(join(tmpdir(), "toolrack-bench-"));
  try {
    const tables = await measureSpeed(modules, folder);
    if (calls > 0 || streams > 0) tables.push(await measureMemory(modules, folder, { calls, streams }));
    return tables;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureSpeed(modules, folder) {
  const running = [];
  for (const subject of subjects) {
    const { notRun } = placeFor(subject.needs ?? []);
    if (notRun === undefined) running.push({ ...subject, ...(await start(subject.kind, modules, folder)) });
  }
  for (const { port, path, body } of running) await load(port, { path, body, count: warmUp });
  const tables = [];
  for (const connections of loads) tables.push(await measureLoad(running, connections));
  for (const { stop } of running) stop();
  return tables;
}

async function measureLoad(running, connections) {
  const measured = new Map(running.map(({ name }) => [name, { cpu: [], rates: [], latencies: [] }]));
  for (let round = 0; round < rounds; round++) {
    for (let place = 0; place < running.length; place++) {
      const subject = running[(round + place) % running.length];
      await measureRound(subject, connections, measured.get(subject.name));
    }
  }
  return {
    caption: `Calls over ${connections} connections; shares and ratios are taken within rounds`,
    columns: ["what", "calls/s", "of the bare route", "target", "verdict", "p50", "p99", "CPU time", "ratio"],
    rows: subjects.map(({ name, target }) =>
      measured.has(name) ? toRow(name, target, measured.get(name), measured.get(unit)) : [name, "not run", "", "", "", "", "", "", ""],
    ),
  };
}

async function measureRound(subject, connections, { cpu, rates, latencies }) {
  const before = await subject.ask("cpu");
  const started = performance.now();
  latencies.push(...(await load(subject.port, { path: subject.path, body: subject.body, count: perRound, connections })));
  rates.push(perRound / ((performance.now() - started) / 1_000));
  const after = await subject.ask("cpu");
  cpu.push((after.user + after.system - before.user - before.system) / perRound);
}

function toRow(name, target, { cpu, rates, latencies }, bareRoute) {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share) => `${sorted[Math.floor(sorted.length * share)].toFixed(1)} ms`;
  const within = (values, unitValues) => median(values.map((value, round) => value / unitValues[round]));
  const share = within(rates, bareRoute.rates);
  return [
    name,
    String(Math.round(median(rates))),
    percent(share),
    target === undefined ? "" : `≥ ${percent(target)}`,
    target === undefined ? "" : share >= target ? "ok" : "under",
    at(0.5),
    at(0.99),
    `${median(cpu).toFixed(0)} µs`,
    times(within(cpu, bareRoute.cpu)),
  ];
}

function percent(share) {
  return `${(share * 100).toFixed(0)} %`;
}

/** The heap after a first part of the work, and after all of it: what grew with the work would show. */
async function measureMemory(modules, folder, { calls, streams }) {
  const { port, ask, stop } = await start("sqlite", modules, folder);
  const rows = [];
  await abandonStreams(port, Math.ceil(streams / 5));
  rows.push(growth(`${streams} abandoned event streams`, await ask("heap"), (await abandonStreams(port, streams), await ask("heap"))));
  await load(port, { ...call, count: Math.ceil(calls / 5) });
  rows.push(growth(`${calls} calls`, await ask("heap"), (await load(port, { ...call, count: calls }), await ask("heap"))));
  stop();
  return {
    caption: "Heap of the server on SQLite, after garbage was collected",
    columns: ["what", "before", "after", "target", "verdict"],
    rows,
  };
}

function growth(name, before, after) {
  const mebibytes = (bytes) => bytes / 1_048_576;
  const limit = mebibytes(before.heapUsed) + 8;
  const text = (value) => `${value.toFixed(1)} MiB`;
  const verdict = mebibytes(after.heapUsed) <= limit ? "ok" : "over";
  return [name, text(mebibytes(before.heapUsed)), text(mebibytes(after.heapUsed)), `≤ ${text(limit)}`, verdict];
}

async function start(kind, modules, folder) {
  const child = fork(fileURLToPath(new URL("./server-child.mjs", import.meta.url)), { execArgv: ["--expose-gc"] });
  const ask = (question) =>
    new Promise((resolve, reject) => {
      const onExit = (code) => reject(new Error(`The server "${kind}" ended with ${code}.`));
      child.once("exit", onExit);
      child.once("message", (answer) => {
        child.off("exit", onExit);
        resolve(answer);
      });
      child.send(question);
    });
  const { port } = await ask({ kind, modules, folder });
  return { port, ask, stop: () => child.disconnect() };
}
