import type { JsonSchema } from "@toolrack/json-schema";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { type Codec, parseJson, setOwn } from "./codec.ts";
import { withHints } from "../describe.ts";
import type { At, Shaped, Shaper } from "./shaper.ts";
import { typesOf } from "../types.ts";

const maxSchemaText = 500;

/** The value as JSON text in a string. A text that is not JSON is taken as it stands. */
export function carryText(node: JsonSchema, at: At, shaper: Shaper, reason?: string): Shaped {
  if (shaper.rules.plain) return { schema: loosened(node) };
  if (reason !== undefined) shaper.context.lose(at.place, "type", `carried as JSON text, because it ${reason}`);
  const { title: _title, description, $defs: _definitions, ...said } = node;
  const text = JSON.stringify(said);
  const hint = text === "{}" ? "any JSON value, written as JSON text" : `JSON text of a value that matches ${text}`;
  const fits = hint.length <= maxSchemaText && !text.includes('"$ref"');
  const schema = withHints({ ...(description !== undefined && { description }), type: "string" }, [fits ? hint : "written as JSON text"]);
  return { schema, codec: textCodec, isText: true };
}

/** Only the type of a value, or the types a model is most likely to want. */
function loosened(node: JsonSchema): JsonSchema {
  const { description } = node;
  const types = typesOf(node) ?? (Object.hasOwn(node, "$ref") ? ["object"] : ["string", "number", "boolean", "object"]);
  return { ...(description !== undefined && { description }), type: types.length === 1 ? types[0] : types };
}

export const textCodec: Codec = {
  encode: (value) => JSON.stringify(value) ?? "null",
  decode: (value) => (typeof value === "string" ? (parseJson(value) ?? { value }).value : value),
};

/** An object with free keys: as JSON text if its values may be anything, otherwise as { entries: [{ key, value }] }. */
export function carryMap(node: JsonSchema, values: JsonSchema, at: At, shaper: Shaper): Shaped {
  if (shaper.rules.plain) return { schema: loosened(node) };
  if (isAnything(values) || !hasRoomForEntries(at, shaper)) {
    const { description } = node;
    const schema = withHints({ ...(description !== undefined && { description }), type: "string" }, [
      "a JSON object with any keys, written as JSON text",
    ]);
    return { schema, codec: textCodec, isText: true };
  }
  const list = entryList(values, { ...at, depth: at.depth + 1 }, shaper);
  const { description } = node;
  const schema = {
    type: "object",
    ...(description !== undefined && { description }),
    properties: { entries: withHints(list.schema, ["one entry for each key of the object"]) },
    required: ["entries"],
    ...(shaper.rules.closed && { additionalProperties: false }),
  };
  return {
    schema,
    codec: {
      encode: (value) => (isObject(value) ? { entries: list.codec.encode(value) } : value),
      decode(value) {
        const isCarried =
          isObject(value) && Object.keys(value).length === 1 && Array.isArray(value["entries"]) && value["entries"].every(isEntry);
        return isCarried ? list.codec.decode(value["entries"]) : value;
      },
    },
  };
}

/** { a: 1 } ⇄ [{ key: "a", value: 1 }] */
export function entryList(values: JsonSchema, at: At, shaper: Shaper): { readonly schema: JsonSchema; readonly codec: Codec } {
  const value = shaper.shape(values, {
    ...at,
    place: { key: "additionalProperties", within: at.place },
    depth: at.depth + 2,
    isRoot: false,
  });
  const items = {
    type: "object",
    properties: { key: { type: "string" }, value: value.schema },
    required: ["key", "value"],
    ...(shaper.rules.closed && { additionalProperties: false }),
  };
  const { codec } = value;
  return {
    schema: { type: "array", items },
    codec: {
      encode: (map) =>
        Object.entries(map as JsonObject).map(([key, inner]) => ({ key, value: codec === undefined ? inner : codec.encode(inner) })),
      decode(list) {
        if (!(list as unknown[]).every(isEntry)) return list;
        const map: JsonObject = {};
        for (const entry of list as { key: string; value: unknown }[])
          setOwn(map, entry.key, codec === undefined ? entry.value : codec.decode(entry.value));
        return map;
      },
    },
  };
}

/** A list of entries adds two levels of nesting. */
export function hasRoomForEntries(at: At, { rules }: Shaper): boolean {
  return at.depth + 2 <= (rules.maxDepth ?? Infinity);
}

/** Whether the schema constrains nothing. */
export function isAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === "description" || keyword === "title");
}

function isEntry(value: unknown): boolean {
  return isObject(value) && typeof value["key"] === "string" && Object.hasOwn(value, "value");
}
