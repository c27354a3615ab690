import { type JsonSchema, readSchema } from "@toolrack/json-schema";
import type { AgentTool } from "../../tool/agent-tool.ts";
import type { ToolDefinition } from "../../tool/tool.ts";
import { adaptSchema } from "../adapt/adapt.ts";
import { withAliases } from "./aliases.ts";

/** A schema in the words of Gemini's `parameters`. Values keep their form: what those words cannot say is loosened. */
export function cleanToolSchemaForGemini(schema: JsonSchema): JsonSchema {
  return adaptSchema(schema, "gemini-openapi", { plain: true }).schema;
}

/** The tool with an object at the root of its schema, as OpenAI and most others ask for. */
export function normalizeToolParameters<Tool extends ToolWithSchema>(tool: Tool): Tool {
  return withSchema(tool, (schema) => adaptSchema(schema, "openai").schema);
}

/** The tool with its declared parameter aliases visible in the schema. Their values are moved back when a call is read. */
export function patchToolSchemaForClaudeCompatibility<Tool extends ToolWithSchema & Pick<ToolDefinition, "metadata">>(tool: Tool): Tool {
  return withSchema(tool, (schema) => withAliases(readSchema(schema), tool.metadata?.aliases ?? {}));
}

/** Agent libraries name the schema `parameters`. */
type ToolWithSchema = Pick<ToolDefinition, "inputSchema"> | Pick<AgentTool, "parameters">;

function withSchema<Tool extends ToolWithSchema>(tool: Tool, change: (schema: JsonSchema) => JsonSchema): Tool {
  return "parameters" in tool ? { ...tool, parameters: change(tool.parameters) } : { ...tool, inputSchema: change(tool.inputSchema) };
}
