import { validatorCount } from "@toolrack/json-schema/internal";
import { schema, valid } from "./setting.mjs";
import { loadModule } from "./toolrack.mjs";

const { defineTool } = await loadModule("tool/tool");
const { executeTool } = await loadModule("tool/array");
const [kind, count, distinct] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];

process.send(kind === "sharing" ? await countValidators() : measure(await maker()));
process.disconnect();

/** Answers a function that makes one thing to keep. */
async function maker() {
  const handler = () => "ok";
  const define = (inputSchema, index) => defineTool({ name: `tool_${index}`, description: "Finds products.", inputSchema, handler });
  if (kind === "json") return (index) => define(schema, index);
  const { z } = await import("zod");
  const zod = (query) =>
    z.strictObject({
      query,
      limit: z.number().int().min(1).max(100).optional(),
      sort: z.enum(["asc", "desc"]).optional(),
      active: z.boolean().optional(),
      price: z.number().optional(),
      tags: z.array(z.strictObject({ key: z.string(), value: z.string().optional() })),
    });
  if (kind === "zod-alone") return () => zod(z.string().min(1));
  if (kind === "plain-zod") return (index) => define(zod(z.string().min(1)), index);
  return (index) => define(zod(z.string().refine((text) => text.length > 0)), index);
}

function measure(make) {
  for (let index = 0; index < 2_000; index++) make(index);
  const before = heap();
  const started = process.cpuUsage();
  const kept = Array.from({ length: count }, (_, index) => make(index));
  const { user, system } = process.cpuUsage(started);
  return { ns: ((user + system) * 1_000) / count, bytes: (heap() - before) / kept.length };
}

function heap() {
  for (let round = 0; round < 4; round++) gc();
  return process.memoryUsage().heapUsed;
}

async function countValidators() {
  const tools = Array.from({ length: count }, (_, index) => {
    const inputSchema = { ...structuredClone(schema), description: `Schema ${index % distinct}` };
    return defineTool({ name: `tool_${index}`, description: "", inputSchema, handler: () => "ok" });
  });
  for (const tool of tools) await executeTool(tool, valid);
  return { validators: validatorCount() };
}
