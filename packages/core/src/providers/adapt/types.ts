import type { JsonSchema } from "../../schema/schema.ts";
import { isObject } from "../../util/json.ts";

/** The types a schema without a union on top can accept: as it says, or as its listed values show; `undefined` means any. */
export function typesOf(schema: JsonSchema): readonly string[] | undefined {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type as string[];
  return Array.isArray(schema["enum"]) ? [...new Set(schema["enum"].map(typeOfValue))] : undefined;
}

/** 1 → "integer", 1.5 → "number", [] → "array" */
export function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "object" ? "object" : typeof value;
}

/** Whether null is among the values, as far as the schema says without following references more than once. */
export function admitsNull(schema: JsonSchema, definitions: JsonSchema, seen: ReadonlySet<string> = new Set()): boolean {
  if (Array.isArray(schema["anyOf"])) return schema["anyOf"].some((branch) => admitsNull(branch as JsonSchema, definitions, seen));
  if (typeof schema["$ref"] === "string") {
    const name = schema["$ref"].slice("#/$defs/".length);
    const target = definitions[name];
    return !seen.has(name) && isObject(target) && admitsNull(target, definitions, new Set([...seen, name]));
  }
  if (Array.isArray(schema["enum"])) return schema["enum"].includes(null);
  return typesOf(schema)?.includes("null") ?? true;
}
