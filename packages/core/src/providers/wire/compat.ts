import { type JsonSchema, readSchema } from "@toolrack/json-schema";
import type { ToolDefinition } from "../../tool/tool.ts";
import { adaptSchema } from "../adapt/adapt.ts";
import { withAliases } from "./aliases.ts";

/** A schema in the words of Gemini's `parameters`. Values keep their form: what those words cannot say is loosened. */
export function cleanToolSchemaForGemini(schema: JsonSchema): JsonSchema {
  return adaptSchema(schema, "gemini-openapi", { plain: true }).schema;
}

/** The tool with an object at the root of its schema, as OpenAI and most others ask for. */
export function normalizeToolParameters<Tool extends Pick<ToolDefinition, "inputSchema">>(tool: Tool): Tool {
  return { ...tool, inputSchema: adaptSchema(tool.inputSchema, "openai").schema };
}

/** The tool with its declared parameter aliases visible in the schema. Their values are moved back when a call is read. */
export function patchToolSchemaForClaudeCompatibility<Tool extends Pick<ToolDefinition, "inputSchema" | "metadata">>(tool: Tool): Tool {
  return { ...tool, inputSchema: withAliases(readSchema(tool.inputSchema), tool.metadata?.aliases ?? {}) };
}
