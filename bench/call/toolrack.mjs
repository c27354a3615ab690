import { loadCore } from "../lib/core.mjs";
import { handler, inputOf, inputSchema } from "./setting.mjs";

export async function create(setting) {
  const { createRegistry, defineTool } = await loadCore();
  const registry = createRegistry();
  registry.register(defineTool({ name: "find", description: "Finds products.", inputSchema, handler }));
  const input = inputOf(setting);
  const { signal } = new AbortController();
  if (setting.deadline) return () => registry.invoke("find", input, { signal, timeoutMs: 30_000 });
  return () => registry.invoke("find", input);
}
