import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { placeFor } from "../lib/peers.mjs";
import { toTable } from "../lib/table.mjs";
import { bundleMcp } from "../lib/bundle.mjs";
import { openClient, toBytes } from "./client.mjs";
import { callersTable, growthTable, sessionsTable } from "./more.mjs";
import { requestOf } from "./setting.mjs";

const at = (name) => new URL(`./servers/${name}.mjs`, import.meta.url).href;
const rounds = 21;
const connections = 8;
/** So many requests that the compiler has seen them all, where the server is quick enough to answer them. */
const warmRequests = 8_000;
const turnMs = 100;
const count = 1_000;

/** Every server is a process of its own; what is measured is the CPU time of that process, and nothing of the one that asks. */
export async function measureMcp({ sessions, callers }) {
  const modules = await bundleMcp();
  const ours = { name: "Toolrack", file: at("toolrack"), setting: { count, modules }, era: "modern", targets: { call: 2, list: 1.5 } };
  const probe = await startServer(ours);
  const bytes = { call: await answerOf(probe, "call", count), list: await answerOf(probe, "list", count) };
  await probe.stop();
  const subjects = [
    { name: "a bare handler", file: at("bare"), setting: bytes, era: "modern", isBare: true },
    ours,
    { name: "Toolrack, legacy era", file: at("toolrack"), setting: { count, modules }, era: "legacy" },
    { name: "Toolrack, through fetch", file: at("toolrack"), setting: { count, modules, through: "fetch" }, era: "modern" },
    {
      name: "SDK 2.4, McpServer",
      file: at("sdk"),
      setting: { count },
      era: "modern",
      needs: ["@modelcontextprotocol/server", "@modelcontextprotocol/node"],
    },
    { name: "fastmcp", file: at("fastmcp"), setting: { count }, era: "legacy", needs: ["fastmcp"] },
  ];
  const tables = [];
  for (const kind of ["call", "list"]) {
    const rows = await measureServers(subjects, kind);
    tables.push(toTable(`tools/${kind}, ${count.toLocaleString("en")} tools`, rows));
  }
  tables.push(await growthTable({ startServer, measureServers, ours, at, modules, answerOf }));
  if (callers > 0) tables.push(await callersTable({ startServer, ours, callers }));
  if (sessions > 0) tables.push(await sessionsTable({ startServer, ours, sessions }));
  return tables;
}

/**
 * Rows as `measure` answers them: the CPU time of a request, and its ratio to the bare handler in the same rounds. Of the rounds the lower
 * quartile counts: what else runs on the machine slows down a process that waits for the network, and never speeds it up.
 */
async function measureServers(subjects, kind, toolCount = count) {
  const placed = subjects.map((subject) => ({ ...subject, ...placeFor(subject.needs ?? []) }));
  const running = [];
  try {
    for (const subject of placed.filter(({ notRun }) => notRun === undefined)) running.push(await prepare(subject, kind, toolCount));
    for (let round = 0; round < rounds; round++) {
      for (let turn = 0; turn < running.length; turn++) await measureTurn(running[(round + turn) % running.length]);
    }
  } finally {
    await Promise.all(running.map(({ server }) => server.stop()));
  }
  const unit = quartile(running.find(({ isBare }) => isBare).samples);
  return placed.map(({ name, notRun, targets }) => {
    if (notRun !== undefined) return { name, notRun };
    const ns = quartile(running.find((one) => one.name === name).samples);
    const target = targets?.[kind];
    return { name, ns, ratio: ns / unit, ...(target && { target, verdict: ns / unit <= target ? "ok" : "over" }) };
  });
}

function quartile(samples) {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 4)];
}

/** Warmed up, and so many requests for each turn that a turn takes some tens of milliseconds. */
async function prepare(subject, kind, toolCount) {
  const server = await startServer(subject);
  const client = await openClient(server.port);
  const request = toBytes(server.port, subject.isBare ? `/${kind}` : "/mcp", requestOf(kind, subject.era, toolCount));
  const { status, body } = await client.ask(request);
  if (status !== 200 || body().includes('"error"')) throw new Error(`${subject.name} answered ${status}: ${body().slice(0, 300)}`);
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  let warm = 0;
  while (elapsed() < 1_500 || (warm < warmRequests && elapsed() < 6_000)) {
    await client.ask(request);
    warm++;
  }
  const perTurn = Math.max(connections, Math.round((warm / elapsed()) * turnMs));
  client.close();
  return { ...subject, server, request, perTurn, samples: [] };
}

/** On connections of its own: servers close those that are silent while the others have their turn. */
async function measureTurn({ server, request, perTurn, samples }) {
  const clients = await Promise.all(Array.from({ length: connections }, () => openClient(server.port)));
  await Promise.all(clients.map((client) => client.ask(request)));
  const before = await server.ask("cpu");
  let left = perTurn;
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) await client.ask(request);
    }),
  );
  const after = await server.ask("cpu");
  for (const client of clients) client.close();
  samples.push(((after.user - before.user + after.system - before.system) * 1_000) / perTurn);
}

async function answerOf(server, kind, toolCount) {
  const client = await openClient(server.port);
  const { body } = await client.ask(toBytes(server.port, "/mcp", requestOf(kind, "modern", toolCount)));
  client.close();
  return body();
}

function startServer({ file, setting, node = process.execPath }) {
  const child = fork(fileURLToPath(new URL("./child.mjs", import.meta.url)), {
    execPath: node,
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const next = () =>
    new Promise((resolve, reject) => {
      const ended = (code) => reject(new Error(`${file} ended with ${code}.`));
      child.once("exit", ended);
      child.once("message", (message) => {
        child.off("exit", ended);
        resolve(message);
      });
    });
  child.send({ file, setting });
  return next().then(({ port }) => ({
    port,
    ask(question) {
      child.send(question);
      return next();
    },
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", resolve);
        child.disconnect();
      }),
  }));
}
