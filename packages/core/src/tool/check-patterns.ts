import { type JsonSchema, readSchema } from "@toolrack/json-schema";
import { inField, type ToolDefinition } from "./tool.ts";

/**
 * Refuses a tool with a pattern that cannot be run in linear time: SCHEMA_INVALID names the tool, the field and the pattern. `defineTool`
 * checks only how patterns are spelt, so that a program that defines tools does not load what runs them.
 */
export function checkPatterns({ name, inputSchema, outputSchema, metadata }: ToolDefinition): void {
  check(inputSchema, "inputSchema", name);
  if (outputSchema !== undefined) check(outputSchema, "outputSchema", name);
  if (metadata?.configSchema !== undefined) check(metadata.configSchema, "metadata.configSchema", name);
}

function check(schema: JsonSchema, field: string, name: string): void {
  try {
    readSchema(schema);
  } catch (error) {
    throw inField(error, field, name);
  }
}
