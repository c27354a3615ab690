import type { JsonSchema } from "@toolrack/json-schema";
import type { AnswerShape } from "../http/route.ts";

/** An object schema whose fields are all required, except those that are named. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** The usual answer: 200 with JSON. */
export function ok(description: string, schema: JsonSchema): Readonly<Record<number, AnswerShape>> {
  return { 200: { description, schema } };
}

export const nothing: Readonly<Record<number, AnswerShape>> = Object.freeze({ 204: { description: "Done." } });
