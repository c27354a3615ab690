import type { Registry, ToolDefinition } from "@toolrack/core";
import { normalizeToolName } from "@toolrack/core/compat";
import { registrationOf } from "@toolrack/core/internal";

/** The tool that settings mean by a name: the one with this name here, else the one that its source registered under it. */
export function toolGovernedAs(registry: Pick<Registry, "get" | "view">, name: string): ToolDefinition | undefined {
  const found = registry.get(name);
  if (found !== undefined) return found;
  const normalized = normalizeToolName(name);
  return registry.view({}).known.find((tool) => {
    const known = registrationOf(tool);
    return known !== undefined && normalizeToolName(known.name) === normalized;
  });
}
