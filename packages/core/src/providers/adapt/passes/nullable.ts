import { type Place, rewriteSchema, without } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import type { AdaptContext, AdaptPass } from "../pass.ts";
import { splitType } from "../types.ts";

/** Writes types as OpenAPI 3.0 does: one type per node, `nullable` for null, and `anyOf` alone on its node. */
export const openApiTypes: AdaptPass = (schema, context) => {
  const nulls = new WeakSet<object>();
  return rewriteSchema(schema, (node, place) => isolate(writeTypes(node, place, context, nulls)));
};

/** `nulls` remembers what { type: "null" } became, because inside a union it says only that null is allowed. */
function writeTypes(node: JsonSchema, place: Place | undefined, context: AdaptContext, nulls: WeakSet<object>): JsonSchema {
  if (node["type"] === "null") {
    if (place?.within?.key !== "anyOf") context.lose(place, "type", "null alone cannot be said: written as a text that may be null");
    const written = { ...node, type: "string", nullable: true };
    nulls.add(written);
    return written;
  }
  if (Array.isArray(node["type"])) {
    const types = (node["type"] as string[]).filter((name) => name !== "null");
    const isNullable = types.length < node["type"].length;
    const single = types.length === 1 ? { ...node, type: types[0] } : splitType({ ...node, type: types }, () => true);
    return isNullable ? allowNull(single) : single;
  }
  if (!Array.isArray(node["anyOf"])) return node;
  const branches = node["anyOf"] as JsonSchema[];
  const others = branches
    .filter((branch) => !nulls.has(branch))
    .flatMap((branch) => (Array.isArray(branch["anyOf"]) ? (branch["anyOf"] as JsonSchema[]) : [branch]));
  if (others.length === 0) return { ...without(node, "anyOf"), ...branches[0] };
  const around = without(node, "anyOf");
  const merged = others.length === 1 ? { ...others[0], ...around } : { ...around, anyOf: others };
  return branches.some((branch) => nulls.has(branch)) ? allowNull(merged) : merged;
}

function allowNull(node: JsonSchema): JsonSchema {
  if (!Array.isArray(node["anyOf"])) {
    const values = Array.isArray(node["enum"]) ? node["enum"].filter((value) => value !== null) : undefined;
    return { ...node, nullable: true, ...(values && { enum: values }) };
  }
  const branches = node["anyOf"] as JsonSchema[];
  // Whether null passes a list of values that does not name it is read differently, so a branch without one is better.
  const chosen = Math.max(
    0,
    branches.findIndex((branch) => !Object.hasOwn(branch, "enum")),
  );
  return { ...node, anyOf: branches.map((branch, index) => (index === chosen ? { ...branch, nullable: true } : branch)) };
}

/** What was said beside a union is said of its first branch. */
function isolate(node: JsonSchema): JsonSchema {
  if (!Array.isArray(node["anyOf"]) || Object.keys(node).length === 1) return node;
  const [first, ...rest] = node["anyOf"] as JsonSchema[];
  const texts = [node["description"], first!["description"]].filter((text) => typeof text === "string");
  return { anyOf: [{ ...first, ...(texts.length > 0 && { description: texts.join(" ") }) }, ...rest] };
}
