import { loadCore } from "../lib/core.mjs";
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

process.send(what === "register" ? measureRegister() : await measureCalls());
process.disconnect();

/** The time is that of registering; the heap also holds the definitions with their schemas. */
function measureRegister() {
  // Warm code, as in a process that has been running for a while; the registry that is measured starts empty.
  const warm = createRegistry();
  for (let index = 0; index < 20_000; index++) warm.register(define(`warm_${index}`));
  const registry = createRegistry();
  const before = heap();
  const tools = Array.from({ length: count }, (_, index) => define(`tool_${index}`));
  const started = process.cpuUsage();
  for (const tool of tools) registry.register(tool);
  const { user, system } = process.cpuUsage(started);
  tools.length = 0;
  return { ns: ((user + system) * 1_000) / count, bytes: (heap() - before) / count, kept: registry.count };
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
