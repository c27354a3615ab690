import { type CallContext, createRegistry, defineTool, type Registry, toStructured } from "@toolrack/core";
import type { Mistake } from "../mistake.ts";

function open(): Registry {
  const registry = createRegistry();
  const inputSchema = { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } }, required: ["city"] } as const;
  registry.register(defineTool({ name: "weather", description: "The weather of a city.", inputSchema, handler: () => "sunny" }));
  registry.register(defineTool({ name: "clock", description: "The time.", inputSchema: { type: "object" }, handler: () => "noon" }));
  return registry;
}

export const call: readonly Mistake[] = [
  { title: "A name that is undefined", define: open, call: (registry: Registry) => registry.invoke(undefined, {}) },
  { title: "The tool in place of its name", define: open, call: (registry: Registry) => registry.invoke(registry.get("clock"), {}) },
  {
    title: "A misspelt field of a question: `mesage`",
    define: () => {
      const registry = createRegistry({ approver: { ask: async () => ({ action: "accept" }) } });
      const handler = async (_input: unknown, context: CallContext): Promise<unknown> => context.ask({ mesage: "Delete the file?" });
      registry.register(defineTool({ name: "delete", description: "Deletes.", inputSchema: { type: "object" }, handler }));
      return registry;
    },
    call: (registry: Registry) => registry.invoke("delete", {}),
  },
  { title: "`toStructured` of what is no result", define: () => toStructured({}) },
  { title: "A misspelt tool", define: open, call: (registry: Registry) => registry.invoke("wether", { city: "Rome" }) },
  { title: "A parameter that is missing", define: open, call: (registry: Registry) => registry.invoke("weather", { citty: "Rome" }) },
  { title: "A number as text", define: open, call: (registry: Registry) => registry.invoke("weather", { city: "Rome", days: "5" }) },
  { title: "The input as JSON text", define: open, call: (registry: Registry) => registry.invoke("weather", '{"city":"Rome"}') },
  { title: "The input as a list", define: open, call: (registry: Registry) => registry.invoke("clock", []) },
  { title: "A misspelt option: `timeout`", define: open, call: (registry: Registry) => registry.invoke("clock", {}, { timeout: 5_000 }) },
  { title: "A time limit as text", define: open, call: (registry: Registry) => registry.invoke("clock", {}, { timeoutMs: "5000" }) },
  {
    title: "A controller as signal",
    define: open,
    call: (registry: Registry) => registry.invoke("clock", {}, { signal: new AbortController() }),
  },
  {
    title: "The agent outside of `caller`",
    define: open,
    call: (registry: Registry) => registry.invoke("clock", {}, { agent: "support" }),
  },
  { title: "A caller that is a text", define: open, call: (registry: Registry) => registry.invoke("clock", {}, { caller: "support" }) },
  {
    title: "An owner that is a text",
    define: open,
    call: (registry: Registry) => registry.invoke("clock", {}, { caller: { owner: "yes" } }),
  },
  {
    title: "A signal that is aborted",
    define: open,
    call: (registry: Registry) => registry.invoke("clock", {}, { signal: AbortSignal.abort() }),
  },
  {
    title: "A call with `arguments` in place of `input`",
    define: open,
    call: async (registry: Registry) => (await registry.callAll([{ name: "clock", arguments: {} }]))[0],
  },
  { title: "One call in place of a list", define: open, call: (registry: Registry) => registry.callAll({ name: "clock", input: {} }) },
  { title: "A bundle that is a list of names", define: open, call: (registry: Registry) => registry.applyBundle(["clock"]) },
];
