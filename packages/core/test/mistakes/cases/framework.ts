import { createRegistry, defineTool } from "@toolrack/core";
import { toAiSdk, toLangChain, toMastra, toOpenAIAgents } from "@toolrack/core/vendors";
import type { Mistake } from "../mistake.ts";

const registry = createRegistry();
const weather = registry.register(
  defineTool({ name: "weather", description: "…", inputSchema: { type: "object", required: ["city"] }, handler: () => "sunny" }),
);

export const framework: readonly Mistake[] = [
  { title: "`toAiSdk` with a registry in place of its list", define: () => toAiSdk(registry, { registry }) },
  { title: "`toAiSdk` without a way to call", define: () => toAiSdk([weather]) },
  { title: "`toLangChain` without a way to call", define: () => toLangChain([weather]) },
  { title: "`toOpenAIAgents` without a way to call", define: () => toOpenAIAgents([weather]) },
  { title: "`toMastra` without a way to call", define: () => toMastra([weather]) },
];
