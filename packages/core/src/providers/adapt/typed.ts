import { type Place, rewriteSchema, without } from "../../schema/normal/walk.ts";
import type { JsonSchema } from "../../schema/schema.ts";
import { isObject } from "../../util/json.ts";
import { type AdaptContext, type AdaptPass, nodePass, type NodePass, when } from "./pass.ts";
import { typesOf } from "./types.ts";

/** Gives every schema that constrains something a type: from its listed values, or from the keywords it uses. */
export const declareTypes: NodePass = nodePass(undefined, (node, place, context) => declareType(node, place, context));

const telling: readonly (readonly [string, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "minProperties", "maxProperties"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  ["string", ["minLength", "maxLength", "pattern", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

function declareType(node: JsonSchema, place: Place | undefined, context: AdaptContext): JsonSchema {
  if (Object.hasOwn(node, "type") || Object.hasOwn(node, "anyOf") || Object.hasOwn(node, "$ref")) return node;
  if (Array.isArray(node["enum"])) {
    const types = typesOf(node)!;
    return { ...node, type: types.length === 1 ? types[0] : types };
  }
  const type = telling.find(([, keywords]) => keywords.some((keyword) => Object.hasOwn(node, keyword)))?.[0];
  if (type === undefined) return node;
  context.lose(place, "type", `no type is given: taken for ${type}`);
  return { ...node, type };
}

/** { type: ["object", "string"], … } → { anyOf: [{ type: "object", … }, { type: "string", … }] }: lists and objects stand on a node of their own. */
export const splitTypes: AdaptPass = when(["type[]"], (schema) =>
  rewriteSchema(schema, (node) => splitType(node, (types) => types.includes("object") || types.includes("array"))),
);

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
