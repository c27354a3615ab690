import type { StandardSchemaV1 } from "@standard-schema/spec";
import { readSchema } from "../schema/read-schema.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { validatorFor } from "../validate/validate.ts";
import { type InputParser, standardParser } from "./standard-parser.ts";
import { isStandardSchema, standardShape } from "./standard-shape.ts";
import { stripUnknown } from "./strip.ts";

export interface ConvertedSchema {
  readonly schema: JsonSchema;
  /** What the original does with an input that its JSON Schema accepts. */
  readonly parse: InputParser;
}

/**
 * Turns a Standard Schema (Zod, Valibot, ArkType …) into JSON Schema, once.
 * The original is not kept unless it transforms or refines, or that cannot be told: a Zod object costs twenty times its JSON Schema.
 */
export function fromStandardSchema(schema: StandardSchemaV1): ConvertedSchema {
  const shape = standardShape(schema);
  const parse = standardParser(schema);
  const read = readSchema(shape);
  return { schema: read, parse: parse === "plain" ? plainParser(read) : parse };
}

/** Does what a plain Zod schema does beside checking: fills in defaults, and leaves out what it does not declare. */
export function plainParser(schema: JsonSchema): InputParser {
  const validator = validatorFor(schema);
  return (input) => ({ value: stripUnknown(schema, validator.fill(input)) });
}

export { type InputParser, isStandardSchema };
