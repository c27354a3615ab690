import { isObject, type JsonObject, type Place } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { carryText } from "./carry.ts";
import { type Codec, createMatcher } from "./codec.ts";
import type { AdaptContext } from "../pass.ts";
import { shapeObject } from "./object.ts";
import { shapeUnion } from "./union.ts";
import type { At, Shaped, Shaper, ShapeRules } from "./shaper.ts";
import { typesOf } from "../types.ts";

/** Replacing a recursive reference more often than this does not help a model. */
const maxOpenings = 3;
const maxNodes = 3_000;

export interface ShapedDocument {
  readonly schema: JsonSchema;
  readonly codec?: Codec;
  /** How many schemas there are in all, roughly. */
  readonly nodes: number;
}

/** Brings a schema into a form whose values need translating: names, absence, maps, anything, recursion. Runs after all passes that only loosen. */
export function shapeSchema(schema: JsonSchema, rules: ShapeRules, context: AdaptContext): ShapedDocument {
  const { $defs: given, ...root } = schema;
  const definitions = isObject(given) ? given : {};
  const shapedDefinitions: JsonObject = {};
  const definitionCodecs = new Map<string, Codec | undefined>();
  let nodes = 0;

  const shaper: Shaper = {
    rules,
    context,
    definitions,
    budget: { optional: rules.maxOptional ?? Infinity, unions: rules.maxUnions ?? Infinity },
    matcher: (node, side) => createMatcher(node, side === "original" ? () => definitions : () => shapedDefinitions),
    shape(node, at) {
      nodes++;
      if (typeof node["$ref"] === "string") return shapeReference(node, at);
      const types = typesOf(node);
      const isContainer = Array.isArray(node["anyOf"]) || types === undefined || types.includes("object") || types.includes("array");
      if (isContainer && (at.depth > (rules.maxDepth ?? Infinity) || nodes > maxNodes))
        return carryText(node, at, shaper, "is nested too deeply");
      if (Array.isArray(node["anyOf"])) return shapeUnion(node, at, shaper);
      if (types === undefined) return rules.anything === "text" ? carryText(node, at, shaper) : { schema: node };
      if (types.length > 1 && shaper.budget.unions-- <= 0) return carryText(node, at, shaper, "is one union too many");
      if (types.includes("object")) return shapeObject(node, at, shaper);
      if (types.includes("array")) return shapeArray(node, at);
      return rules.nullWord && !rules.plain && Array.isArray(node["enum"]) && node["enum"].includes(null)
        ? shapeNullWord(node, node["enum"])
        : { schema: node };
    },
  };

  function shapeReference(node: JsonSchema, at: At): Shaped {
    const name = (node["$ref"] as string).slice("#/$defs/".length);
    const target = definitions[name];
    if (!isObject(target)) return { schema: {} };
    if (rules.references === "open") {
      if (at.opened.length >= maxOpenings || nodes > maxNodes) return carryText(node, at, shaper, "contains itself");
      return shaper.shape(
        { ...target, ...(node["description"] !== undefined && { description: node["description"] }) },
        { ...at, opened: [...at.opened, name] },
      );
    }
    if (!definitionCodecs.has(name)) {
      definitionCodecs.set(name, undefined);
      const place: Place = { key: name, within: { key: "$defs", within: undefined } };
      const shaped = shaper.shape(target, { place, depth: 2, opened: [] });
      shapedDefinitions[name] = shaped.schema;
      definitionCodecs.set(name, shaped.codec);
    }
    // A definition that is still being shaped has no codec yet, so it is looked up when a value comes.
    const translate = (way: "encode" | "decode", value: unknown): unknown => {
      const codec = definitionCodecs.get(name);
      return codec === undefined ? value : codec[way](value);
    };
    return {
      schema: { $ref: node["$ref"] },
      codec: { encode: (value) => translate("encode", value), decode: (value) => translate("decode", value) },
    };
  }

  function shapeArray(node: JsonSchema, at: At): Shaped {
    if (!isObject(node["items"])) return { schema: node };
    const items = shaper.shape(node["items"], { ...at, place: { key: "items", within: at.place }, depth: at.depth + 1, isRoot: false });
    const schema = items.schema === node["items"] ? node : { ...node, items: items.schema };
    const { codec } = items;
    if (codec === undefined) return { schema };
    const each = (value: unknown, one: (item: unknown) => unknown): unknown => (Array.isArray(value) ? value.map(one) : value);
    return { schema, codec: { encode: (value) => each(value, codec.encode), decode: (value) => each(value, codec.decode) } };
  }

  const shaped = shaper.shape(root, { place: undefined, depth: 1, opened: [], isRoot: true });
  const hasDefinitions = Object.keys(shapedDefinitions).length > 0;
  const whole = hasDefinitions ? { ...shaped.schema, $defs: shapedDefinitions } : shaped.schema;
  return { schema: whole, nodes, ...(shaped.codec && { codec: shaped.codec }) };
}

/** Where a list of values may hold only texts, null is one more word in it. */
function shapeNullWord(node: JsonSchema, values: readonly unknown[]): Shaped {
  const word = ["(null)", "(none)"].find((text) => !values.includes(text)) ?? "(null value)";
  return {
    schema: { ...node, enum: values.map((value) => (value === null ? word : value)) },
    codec: { encode: (value) => (value === null ? word : value), decode: (value) => (value === word ? null : value) },
  };
}
