import { isObject, type JsonObject, rewriteSchema, without } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { dropArguments } from "../keywords.ts";
import { type AdaptPass, when } from "../pass.ts";
import { typeOfValue } from "../types.ts";
import { eitherOf } from "../unite.ts";

/** Each list of values holds one type, or one type and null; objects and lists among the values become schemas that accept just them. */
export const plainEnums: AdaptPass = when(["enum"], (schema) =>
  rewriteSchema(schema, (node) => {
    const { enum: values } = node;
    if (!Array.isArray(values)) return node;
    const groups = new Map<string, unknown[]>();
    for (const value of values) {
      const type = typeOfValue(value);
      const kind = type === "integer" ? "number" : type;
      if (isAllowed(node, type)) groups.set(kind, [...(groups.get(kind) ?? []), value]);
    }
    const hasNull = groups.delete("null");
    const schemas = [...groups].flatMap(([kind, group]) =>
      kind === "object" || kind === "array" ? group.map(schemaOf) : [listOf(kind, group, node)],
    );
    const around = without(node, "enum", "type");
    if (schemas.length === 0) return hasNull ? { ...around, type: "null" } : { ...around, not: {} };
    const [only] = schemas;
    if (schemas.length > 1 || groups.has("object") || groups.has("array")) {
      const { title, description, default: preset, $defs } = node;
      const branches = hasNull ? [...schemas, { type: "null" }] : schemas;
      return { ...defined({ title, description, default: preset, $defs }), ...(branches.length === 1 ? branches[0] : { anyOf: branches }) };
    }
    const type = hasNull ? [only!["type"], "null"] : only!["type"];
    return { ...around, type, enum: hasNull ? [...(only!["enum"] as unknown[]), null] : only!["enum"] };
  }),
);

/** Lists of values of which one is refused are noted in the description instead. */
export const dropEnumsWith = (isRefused: (value: unknown) => boolean): AdaptPass =>
  dropArguments("enum", (values) => (values as unknown[]).some(isRefused));

export interface EnumLimits {
  /** Listed values in the whole schema, and their characters. */
  readonly total: number;
  readonly text: number;
  /** A list of more than `longFrom` values may hold `longText` characters. */
  readonly longFrom: number;
  readonly longText: number;
}

/** Keeps the number of listed values, and their length, within bounds; the longest lists go first. */
export function limitEnums(limits: EnumLimits): AdaptPass {
  return when(["enum"], (schema, context) => {
    const lists: { values: unknown[]; count: number; text: number }[] = [];
    rewriteSchema(schema, (node) => {
      const values = node["enum"];
      if (Array.isArray(values))
        lists.push({ values, count: values.length, text: values.reduce<number>((sum, value) => sum + String(value).length, 0) });
      return node;
    });
    const dropped = new Set(lists.filter(({ count, text }) => count > limits.longFrom && text > limits.longText));
    for (const [measure, most] of [
      ["count", limits.total],
      ["text", limits.text],
    ] as const) {
      let sum = lists.reduce((all, list) => all + (dropped.has(list) ? 0 : list[measure]), 0);
      for (const list of [...lists].sort((a, b) => b[measure] - a[measure])) {
        if (sum <= most) break;
        if (!dropped.has(list)) sum -= list[measure];
        dropped.add(list);
      }
    }
    if (dropped.size === 0) return schema;
    const gone = new Set([...dropped].map(({ values }) => values));
    return dropArguments("enum", (values) => gone.has(values as unknown[]))(schema, context);
  });
}

function isAllowed(node: JsonSchema, type: string): boolean {
  const { type: declared } = node;
  if (declared === undefined) return true;
  const types = Array.isArray(declared) ? declared : [declared];
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

function listOf(kind: string, group: unknown[], node: JsonSchema): JsonSchema {
  if (kind !== "number") return { type: kind, enum: group };
  const wide = node["type"] === "number" || !group.every((value) => Number.isInteger(value));
  return { type: wide ? "number" : "integer", enum: group };
}

/** The schema that accepts one value: { a: [1] } → an object with one property, a list of one item. */
function schemaOf(value: unknown): JsonSchema {
  if (isObject(value)) {
    const properties: JsonObject = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, schemaOf(inner)]));
    return { type: "object", properties, required: Object.keys(value), additionalProperties: false };
  }
  if (Array.isArray(value)) {
    const items = value.map(schemaOf);
    return {
      type: "array",
      items: items.length === 0 ? { type: "string" } : items.reduce(eitherOf),
      minItems: value.length,
      maxItems: value.length,
    };
  }
  const type = typeOfValue(value);
  return type === "null" ? { type } : { type, enum: [value] };
}

function defined(fields: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
