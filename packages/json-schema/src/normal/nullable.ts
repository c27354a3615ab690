import type { JsonSchema } from "../schema/schema.ts";
import { annotationKeywords, type NormalPass, pointerTo, rewriteSchema, without } from "./walk.ts";

/** OpenAPI's { type: "string", nullable: true } → { type: ["string", "null"] }. */
export const replaceNullable: NormalPass = {
  pass: "nullable",
  needs: ["nullable"],
  run: (schema, note) =>
    rewriteSchema(schema, (node, place) => {
      if (typeof node["nullable"] !== "boolean") return node;
      note(pointerTo(place), "nullable became the type null");
      const plain = without(node, "nullable");
      return node["nullable"] ? withNull(plain) : plain;
    }),
};

function withNull(node: JsonSchema): JsonSchema {
  const { type, enum: values } = node;
  const list = typeof type === "string" ? [type] : Array.isArray(type) ? (type as string[]) : undefined;
  if (list !== undefined && !Object.keys(node).some((keyword) => inPlace.has(keyword))) {
    const types = list.includes("null") ? type : [...list, "null"];
    return { ...node, type: types, ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }) };
  }
  const constraints = Object.keys(node).filter((keyword) => !annotationKeywords.has(keyword));
  if (constraints.length === 0) return node;
  return { anyOf: [without(node, ...annotationKeywords), { type: "null" }], ...without(node, ...constraints) };
}

/** Keywords that judge the value itself through other schemas, so that adding a type beside them would not let null in. */
const inPlace = new Set(["allOf", "anyOf", "oneOf", "not", "if", "$ref", "const"]);
