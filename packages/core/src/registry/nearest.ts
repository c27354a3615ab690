import { isObject, nearestNames } from "@toolrack/json-schema/internal";
import type { ToolDefinition } from "../tool/tool.ts";

/**
 * What a caller may have meant by a name that no tool has: names spelt like it, and tools one of whose actions is called so.
 * "grep" → ['search {"action":"grep"}']
 */
export function nearestTools(wanted: string, tools: readonly ToolDefinition[]): readonly string[] {
  const byAction = tools.flatMap((tool) => actionsNamed(wanted, tool)).slice(0, 3);
  return [...byAction, ...nearestNames(wanted, names(tools))].slice(0, 3);
}

function* names(tools: readonly ToolDefinition[]): Generator<string> {
  for (const tool of tools) yield tool.name;
}

function actionsNamed(wanted: string, tool: ToolDefinition): string[] {
  const properties = tool.inputSchema["properties"];
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([parameter, schema]) =>
    isObject(schema) && Array.isArray(schema["enum"]) && schema["enum"].includes(wanted)
      ? [`${tool.name} ${JSON.stringify({ [parameter]: wanted })}`]
      : [],
  );
}
