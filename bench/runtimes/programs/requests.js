import { createRegistry, defineTool } from "@toolrack/core";

const inputSchema = { type: "object" };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One registry for all requests, as a worker has it. */
const registry = createRegistry();
registry.register(
  defineTool({
    name: "short",
    description: "Ends before its time limit.",
    inputSchema,
    metadata: { limits: { timeoutMs: 400 } },
    handler: () => pause(150).then(() => "done"),
  }),
);
registry.register(
  defineTool({
    name: "endless",
    description: "Never ends.",
    inputSchema,
    metadata: { limits: { timeoutMs: 600 } },
    handler: () => pause(60_000),
  }),
);

registry.register(
  defineTool({
    name: "single",
    description: "Runs one call at a time.",
    inputSchema,
    metadata: { limits: { concurrency: 1, timeoutMs: 10_000 } },
    handler: () => pause(50).then(() => "done"),
  }),
);

export async function callTool(name) {
  const result = await registry.invoke(name, {});
  return result.ok ? result.content : result.code;
}
