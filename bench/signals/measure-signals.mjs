import { bundleServer } from "../lib/bundle.mjs";
import { median } from "../lib/measure.mjs";
import { duration } from "../lib/table.mjs";

const tools = 1_000;
const rounds = 40;
const scrapeMs = 5;
const lineUs = 20;

/** CPU time of this process, so that others on the machine count little. */
export async function measureSignals() {
  const modules = await bundleServer();
  const [{ createApp, createLog, openRack, ownerOf }, { defineTool }] = await Promise.all([import(modules.server), import(modules.core)]);
  const defined = Array.from({ length: tools }, (_, index) =>
    defineTool({
      name: `tool_${index}`,
      description: "Does a thing.",
      inputSchema: { type: "object", properties: {} },
      handler: () => "done",
    }),
  );
  const config = { store: { memory: true }, tools: { packs: { utility: false, sessions: false } }, policy: { unknownAgents: "allow" } };
  const rack = await openRack({ environment: {}, config, tools: defined });
  const app = createApp(rack, { identity: ownerOf(rack) });
  try {
    return [
      {
        caption: `${tools} tools; CPU time, the median of ${rounds} rounds`,
        columns: ["what", "CPU time", "target", "verdict"],
        rows: [
          await scrapes("a scrape, every tool called since the last one", app, () => callAll(rack, defined)),
          await scrapes("a scrape, no tool called since the last one", app, async () => undefined),
          lines(createLog),
        ],
      },
    ];
  } finally {
    await app.close();
    await rack.close({ graceMs: 0 });
  }
}

async function callAll(rack, defined) {
  for (const { name } of defined) await rack.registry.invoke(name, {});
}

async function scrapes(name, app, before) {
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    await before();
    globalThis.gc?.();
    const started = process.cpuUsage();
    const { status } = await app.answer(toRequest("/metrics"));
    const { user, system } = process.cpuUsage(started);
    if (status !== 200) throw new Error(`A scrape was answered with ${status}.`);
    samples.push((user + system) * 1_000);
  }
  return row(name, median(samples), scrapeMs * 1_000_000);
}

/** As it is written for each call, to a destination that costs nothing. */
function lines(createLog) {
  const log = createLog({ linesPerSecond: Number.MAX_SAFE_INTEGER, destination: { write: () => undefined } });
  const secrets = Array.from({ length: 20 }, (_, index) => `a-secret-value-${index}`);
  log.hide(() => secrets);
  const fields = {
    tool: "forecast",
    agent: "anna",
    principal: "key anna",
    decision: "allowed",
    status: 200,
    code: undefined,
    durationMs: 1,
    callId: "0mbq1w2e3abcdefghijklmnopqrstuvwx",
    requestId: "0mbq1w2e3xwvutsrqponmlkjihgfedcba",
  };
  const count = 5_000;
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    const started = process.cpuUsage();
    for (let line = 0; line < count; line++) log.info("call", fields);
    const { user, system } = process.cpuUsage(started);
    samples.push(((user + system) * 1_000) / count);
  }
  return row("a log line, with 20 secrets to look for", median(samples), lineUs * 1_000);
}

function row(name, ns, target) {
  return [name, duration(ns), `≤ ${duration(target)}`, ns <= target ? "ok" : "over"];
}

function toRequest(path) {
  return {
    id: "bench",
    method: "GET",
    path,
    query: "",
    origin: "http://127.0.0.1",
    remoteAddress: "127.0.0.1",
    hasBody: false,
    header: (name) => (name === "host" ? "127.0.0.1" : undefined),
    headerNames: () => ["host"],
    readBody: (_maxBytes, take) => take(new Uint8Array()),
    onLeave: () => undefined,
  };
}
