import { loadCore } from "../lib/core.mjs";
import { median } from "../lib/measure.mjs";
import { valid, handler, inputSchema } from "./setting.mjs";

const { createRegistry, defineTool } = await loadCore();
const [what, count] = [process.argv[2], Number(process.argv[3])];
const heap = () => {
  for (let round = 0; round < 4; round++) gc();
  return process.memoryUsage().heapUsed;
};

const smallSchema = {
  type: "object",
  properties: { query: { type: "string", description: "What to look for." }, limit: { type: "integer", minimum: 1, default: 5 } },
  required: ["query"],
};

const measures = { time: measureTime, heap: measureHeap, calls: measureCalls };
process.send(await measures[what]());
process.disconnect();

/**
 * Warm code, as in a process that has been running for a while. No collection is forced before: it would throw compiled code away.
 * Small registries are filled many times over: one alone takes a millisecond, in which anything may happen.
 */
function measureTime() {
  const warm = createRegistry();
  for (let index = 0; index < 100_000; index++) warm.register(define(`warm_${index}`));
  return { ns: median(Array.from({ length: Math.max(3, 30_000 / count) }, measureFilling)) };
}

function measureFilling() {
  const tools = Array.from({ length: count }, (_, index) => define(`tool_${index}`));
  const registry = createRegistry();
  const started = process.cpuUsage();
  for (const tool of tools) registry.register(tool);
  const { user, system } = process.cpuUsage(started);
  return ((user + system) * 1_000) / registry.count;
}

/** What a tool holds, its definition and its schema included. */
function measureHeap() {
  const registry = createRegistry();
  const before = heap();
  for (let index = 0; index < count; index++) registry.register(define(`tool_${index}`));
  return { bytes: (heap() - before) / registry.count };
}

function define(name) {
  return defineTool({ name, description: "Finds products by name, price and tags.", inputSchema: smallSchema, handler });
}

async function measureCalls() {
  const registry = createRegistry();
  registry.register(defineTool({ name: "find", description: "Finds products.", inputSchema, handler }));
  const { signal } = new AbortController();
  for (let index = 0; index < 20_000; index++) await registry.invoke("find", valid, { signal, timeoutMs: 30_000 });
  const before = heap();
  for (let index = 0; index < count; index++) await registry.invoke("find", valid, { signal, timeoutMs: 30_000 });
  return { bytes: heap() - before };
}
