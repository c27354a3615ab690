import type { JsonSchema } from "@toolrack/json-schema";
import { hasOwn, isObject } from "@toolrack/json-schema/internal";
import { declaredPaths } from "../tool/path-place.ts";
import { pinsOf, type ToolDefinition } from "../tool/tool.ts";

/** Whether a tool may have a parameter that holds a path: as it is declared, else by the usual names. */
export function mayHavePaths(tool: ToolDefinition, usual: readonly string[] = ["path"]): boolean {
  const declared = declaredPaths(tool);
  if (declared !== undefined) return declared.length > 0;
  // A path that is pinned is one as well.
  const { inputSchema } = pinsOf(tool)?.own ?? tool;
  return usual.some((name) => mayHave(inputSchema, name));
}

/** A schema made of other schemas, or without declared names, may have any parameter. */
function mayHave(schema: JsonSchema, name: string): boolean {
  const properties = schema["properties"];
  const isOpen = !isObject(properties) || ["$ref", "allOf", "anyOf", "oneOf", "then", "else"].some((keyword) => hasOwn(schema, keyword));
  return isOpen || hasOwn(properties, name);
}
