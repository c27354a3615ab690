import { coreToolCatalog } from "../../src/policy/catalog/catalog.ts";
import type { PolicyTool, ToolPolicy, ToolPolicyStep } from "../../src/policy/policy.ts";

export function toolsNamed(...names: readonly string[]): PolicyTool[] {
  return names.map((name) => ({ name }));
}

export function pluginTool(name: string, pluginId: string): PolicyTool {
  return { name, metadata: { pluginId } };
}

export const catalogTools: readonly PolicyTool[] = coreToolCatalog.map(({ name }) => ({ name }));

export function namesOf(tools: readonly { readonly name: string }[]): string[] {
  return tools.map((tool) => tool.name);
}

/** A step of the global policy. */
export function step(policy: ToolPolicy): ToolPolicyStep {
  return { id: "global", label: "tools", ...policy };
}
