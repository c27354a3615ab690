import type { JsonObject } from "@toolrack/json-schema/internal";
import { own } from "../document/json.ts";

export function isNullable(schema: JsonObject): boolean {
  return own(schema, "nullable") === true || own(schema, "x-nullable") === true;
}

/** A schema without a type that may also be null: through its values, or as one more branch. */
export function orNull(schema: JsonObject): JsonObject {
  const { title, description, enum: values, ...rest } = schema;
  const words = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
  if (Object.keys(rest).length === 0) {
    if (!Array.isArray(values)) return schema;
    return { ...words, enum: values.includes(null) ? values : [...values, null] };
  }
  return { ...words, anyOf: [{ ...rest, ...(values !== undefined && { enum: values }) }, { type: "null" }] };
}
