import { duration, times } from "../lib/table.mjs";
import { openClient, toBytes } from "./client.mjs";
import { requestOf } from "./setting.mjs";

const mostGrowth = 1.3;
const mostPerSession = 64;

/** A call costs the same among ten tools and among ten thousand. */
export async function growthTable({ measureServers, startServer, ours, at, modules, answerOf }) {
  const counts = [10, 1_000, 10_000];
  const rows = [];
  for (const count of counts) {
    const subject = { ...ours, setting: { count, modules }, targets: {} };
    const probe = await startServer(subject);
    const bytes = { call: await answerOf(probe, "call", count), list: "" };
    await probe.stop();
    const [, row] = await measureServers(
      [{ name: "bare", file: at("bare"), setting: bytes, era: "modern", isBare: true }, subject],
      "call",
      count,
    );
    rows.push({ count, ...row });
  }
  const [least] = rows;
  return {
    caption: "tools/call, by the number of tools: its ratio to the bare handler",
    columns: ["tools", "CPU time", "ratio", "growth", "target", "verdict"],
    rows: rows.map(({ count, ns, ratio }) => {
      const growth = ratio / least.ratio;
      return [
        count.toLocaleString("en"),
        duration(ns),
        times(ratio),
        times(growth),
        `≤ ${times(mostGrowth)}`,
        growth <= mostGrowth ? "ok" : "over",
      ];
    }),
  };
}

/** Lists for many callers who see the same tools cost what lists for one caller cost. */
export async function callersTable({ startServer, ours, callers }) {
  const server = await startServer(ours);
  const client = await openClient(server.port);
  const request = requestOf("list", "modern", ours.setting.count);
  const asks = Array.from({ length: callers }, (_, index) =>
    toBytes(server.port, "/mcp", { ...request, headers: { ...request.headers, "x-bench-sender": `sender-${index}` } }),
  );
  for (const ask of asks) await client.ask(ask);
  const cost = async (list) => {
    const before = await server.ask("cpu");
    for (const ask of list) await client.ask(ask);
    const after = await server.ask("cpu");
    return ((after.user - before.user + after.system - before.system) * 1_000) / list.length;
  };
  const samples = { one: [], many: [] };
  for (let round = 0; round < 7; round++) {
    samples.one.push(await cost(asks.map(() => asks[0])));
    samples.many.push(await cost(asks));
  }
  client.close();
  await server.stop();
  const [one, many] = [samples.one, samples.many].map((list) => list.sort((a, b) => a - b)[3]);
  const ratio = many / one;
  return {
    caption: `tools/list, by the number of callers`,
    columns: ["callers", "CPU time", "ratio", "target", "verdict"],
    rows: [
      ["1", duration(one), times(1), "", ""],
      [callers.toLocaleString("en"), duration(many), times(ratio), `≤ ${times(mostGrowth)}`, ratio <= mostGrowth ? "ok" : "over"],
    ],
  };
}

/** Clients of the legacy era that shake hands and never come back. */
export async function sessionsTable({ startServer, ours, sessions }) {
  const server = await startServer(ours);
  const client = await openClient(server.port);
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: { elicitation: {}, sampling: {} }, clientInfo: { name: "bench", version: "1" } },
  };
  const initialize = toBytes(server.port, "/mcp", { headers: requestOf("list", "legacy", 1).headers, body });
  const open = async (count) => {
    for (let index = 0; index < count; index++) await client.ask(initialize);
  };
  await open(2_000);
  const before = await server.ask("heap");
  await open(sessions);
  const after = await server.ask("heap");
  client.close();
  await server.stop();
  const bytes = (after.heapUsed - before.heapUsed) / sessions;
  return {
    caption: "Memory for each abandoned session",
    columns: ["sessions", "heap for each", "target", "verdict"],
    rows: [
      [sessions.toLocaleString("en"), `${bytes.toFixed(1)} bytes`, `≤ ${mostPerSession} bytes`, bytes <= mostPerSession ? "ok" : "over"],
    ],
  };
}
