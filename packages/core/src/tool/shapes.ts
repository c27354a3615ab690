import { ToolError } from "../errors.ts";
import { type AgentTool, fromAgentTool } from "./agent-tool.ts";
import { type ClassTool, fromClassTool } from "./base-tool.ts";
import { type LegacyTool, wrapLegacyTool } from "./legacy.ts";
import { defineTool, isDefinedTool, type ToolDefinition } from "./tool.ts";

/** Every shape of tool that may be registered where these services are. */
// Any: a tool of any services fits wherever tools are listed.
export type AnyTool<Services = any> =
  | ToolDefinition<any, unknown, Services>
  | AgentTool
  | ClassTool<Services>
  | (LegacyTool & { readonly parametersSchema?: never });

/** Reads any accepted shape as a defined tool; one that is defined already is returned as it is. */
export function readTool(shape: AnyTool): ToolDefinition {
  if (isDefinedTool(shape)) return shape;
  const fields = typeof shape === "object" && shape !== null ? (shape as unknown as Record<string, unknown>) : {};
  if (typeof fields["handler"] === "function" || "inputSchema" in fields) return defineTool(shape as unknown as ToolDefinition);
  if (typeof fields["execute"] !== "function") throw new ToolError("DEFINITION_INVALID", noHandler(fields["name"]));
  if ("parametersSchema" in fields) return fromClassTool(shape as ClassTool);
  if ("parameters" in fields) return fromAgentTool(shape as AgentTool);
  return wrapLegacyTool(shape as LegacyTool);
}

function noHandler(name: unknown): string {
  const named = typeof name === "string" ? `Tool "${name}"` : "A tool";
  return `${named} has neither a handler nor an execute function. Give it { name, description, inputSchema, handler }.`;
}
