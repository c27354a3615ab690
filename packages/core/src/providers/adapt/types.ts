import { isObject, without } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";

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

/** { type: "string", enum: ["a"] } → { type: ["string", "null"], enum: ["a", null] } */
export function withNull(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema) ?? [];
  const values = schema["enum"];
  return {
    ...schema,
    type: types.includes("null") ? types : [...types, "null"],
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  };
}

/** The keywords by which a schema without a type shows what it is about. */
export const telling: readonly (readonly [string, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "minProperties", "maxProperties"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  ["string", ["minLength", "maxLength", "pattern", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** Several types never share a node; what is beside them goes to the type it is about. */
export function splitType(node: JsonSchema, isSplit: (types: readonly string[]) => boolean): JsonSchema {
  const { type } = node;
  if (!Array.isArray(type) || !isSplit(type as string[])) return node;
  const { title, description, default: preset, $defs } = node;
  const around = { title, description, default: preset, $defs };
  const branches = (type as string[]).map((name) => ({ type: name, ...about(name, without(node, "type", ...Object.keys(around))) }));
  const possible = branches.filter((branch: JsonSchema) => !(Array.isArray(branch["enum"]) && branch["enum"].length === 0));
  return { ...definedOnly(around), ...(possible.length === 1 ? possible[0] : { anyOf: possible }) };
}

const typeKeywords: ReadonlyMap<string, ReadonlySet<string>> = new Map(telling.map(([type, keywords]) => [type, new Set(keywords)]));

function about(type: string, node: JsonSchema): JsonSchema {
  const kind = type === "integer" ? "number" : type;
  const foreign = [...typeKeywords].filter(([name]) => name !== kind).flatMap(([, keywords]) => [...keywords]);
  const own = without(node, ...foreign);
  if (!Array.isArray(own["enum"])) return own;
  return {
    ...own,
    enum: own["enum"].filter((value) =>
      typesOf({ enum: [value] })!.some((name) => name === type || (type === "number" && name === "integer")),
    ),
  };
}

function definedOnly(fields: JsonSchema): JsonSchema {
  return isObject(fields) ? Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) : fields;
}
