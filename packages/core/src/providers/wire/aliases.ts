import type { JsonSchema } from "@toolrack/json-schema";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import type { ToolDefinition } from "../../tool/tool.ts";
import { setOwn } from "../adapt/shape/codec.ts";

/** A prefix that older prompts put before parameter names. */
const oldPrefix = "claude_";

/**
 * The schema with the tool's declared parameter aliases beside the parameters they stand for. With a second name at hand neither is
 * required by the schema; the call is checked under the canonical names.
 */
export function withAliases(schema: JsonSchema, aliases: Readonly<Record<string, string>>): JsonSchema {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const used = Object.entries(aliases).filter(([alias, key]) => Object.hasOwn(properties, key) && !Object.hasOwn(properties, alias));
  if (used.length === 0) return schema;
  const renamed = new Set(used.map(([, key]) => key));
  const required = Array.isArray(schema["required"]) ? (schema["required"] as string[]).filter((key) => !renamed.has(key)) : undefined;
  const { required: _required, ...rest } = schema;
  return {
    ...rest,
    properties: { ...properties, ...Object.fromEntries(used.map(([alias, key]) => [alias, properties[key]])) },
    ...(required !== undefined && required.length > 0 && { required }),
  };
}

/** { file_path: "a" } and { claude_path: "a" } → { path: "a" }. The canonical name wins where both are given. */
export function resolveAliases(input: unknown, tool: Pick<ToolDefinition, "inputSchema" | "metadata">): unknown {
  if (!isObject(input)) return input;
  const aliases = tool.metadata?.aliases ?? {};
  const properties = isObject(tool.inputSchema["properties"]) ? tool.inputSchema["properties"] : {};
  const canonical = (key: string): string => {
    if (Object.hasOwn(properties, key)) return key;
    if (Object.hasOwn(aliases, key)) return aliases[key]!;
    const bare = key.startsWith(oldPrefix) ? key.slice(oldPrefix.length) : key;
    return bare !== key && Object.hasOwn(properties, bare) ? bare : key;
  };
  if (Object.keys(input).every((key) => canonical(key) === key)) return input;
  const resolved: JsonObject = {};
  for (const key of Object.keys(input)) {
    const name = canonical(key);
    if (name === key || !Object.hasOwn(input, name)) setOwn(resolved, name, input[key]);
  }
  return resolved;
}
