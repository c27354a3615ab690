import type { JsonSchema } from "@toolrack/json-schema";
import { isObject } from "@toolrack/json-schema/internal";
import { withHints } from "../describe.ts";
import { withNull } from "../types.ts";

/** A schema with a value that means "not given", and that value. */
export interface WithAbsence {
  readonly schema: JsonSchema;
  readonly absent: unknown;
  readonly isAbsent: (value: unknown) => boolean;
}

/** Adds a value for "not given": null, or { omit: true } if null is a valid value. */
export function withAbsence(schema: JsonSchema, admitsNull: boolean): WithAbsence {
  if (!admitsNull) return { schema: orNull(schema), absent: null, isAbsent: isNull };
  const text = JSON.stringify(schema);
  const word = ["omit", "leave_out"].find((key) => !text.includes(`"${key}"`)) ?? "omit_this_parameter";
  const marker = {
    type: "object",
    properties: { [word]: { type: "boolean", enum: [true] } },
    required: [word],
    additionalProperties: false,
  };
  const { description, title, ...said } = schema;
  const branches = Array.isArray(said["anyOf"]) ? said["anyOf"] : [said];
  const union = { ...(title !== undefined && { title }), ...(description !== undefined && { description }), anyOf: [...branches, marker] };
  return {
    schema: withHints(union, [`{"${word}": true} leaves it out`]),
    absent: Object.freeze({ [word]: true }),
    isAbsent: (value) => isObject(value) && value[word] === true && Object.keys(value).length === 1,
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema["anyOf"])) return { ...schema, anyOf: [...schema["anyOf"], { type: "null" }] };
  const { type } = schema;
  if (type !== undefined && type !== "object" && type !== "array") return withNull(schema);
  const { description, ...said } = schema;
  return { ...(description !== undefined && { description }), anyOf: [said, { type: "null" }] };
}

export function isNull(value: unknown): boolean {
  return value === null;
}
