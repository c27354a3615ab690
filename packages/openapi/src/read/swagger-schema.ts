import type { JsonObject } from "@toolrack/json-schema/internal";
import { own, ownObject } from "../document/json.ts";

const schemaKeys = [
  "type",
  "format",
  "items",
  "default",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "enum",
  "multipleOf",
  "x-nullable",
  "x-example",
] as const;

/** In Swagger 2 a parameter that is not the body is its own schema. */
export function swaggerSchema(parameter: JsonObject): JsonObject {
  const schema: JsonObject = {};
  for (const key of schemaKeys) if (own(parameter, key) !== undefined) schema[key === "x-example" ? "example" : key] = parameter[key];
  // A schema is not allowed there, and some documents have one.
  return { ...ownObject(parameter, "schema"), ...schema };
}
