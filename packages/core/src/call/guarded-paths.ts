import type { JsonSchema } from "@toolrack/json-schema";
import { hasOwn, isObject } from "@toolrack/json-schema/internal";
import { pinsOf, type ToolDefinition } from "../tool/tool.ts";

/** Whether a tool may have a parameter that holds a path: as its metadata says, else by the usual names. */
export function mayHavePaths(tool: ToolDefinition, usual: readonly string[] = ["path"]): boolean {
  // A path that is pinned is one as well.
  const { metadata, inputSchema } = pinsOf(tool)?.own ?? tool;
  return metadata?.paths === undefined ? usual.some((name) => mayHave(inputSchema, name)) : metadata.paths.length > 0;
}

/** A schema made of other schemas, or without declared names, may have any parameter. */
function mayHave(schema: JsonSchema, name: string): boolean {
  const properties = schema["properties"];
  const isOpen = !isObject(properties) || ["$ref", "allOf", "anyOf", "oneOf", "then", "else"].some((keyword) => hasOwn(schema, keyword));
  return isOpen || hasOwn(properties, name);
}
