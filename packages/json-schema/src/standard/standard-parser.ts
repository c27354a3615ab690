import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isPlainZod } from "./plain-zod.ts";

/** Returns the handler's input, transformed, or the faults. */
export type InputParser = (input: unknown) => StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>;

/**
 * What a Standard Schema does with an input that its JSON Schema accepts: "plain" fills in defaults and leaves out what is not declared.
 * The original is not kept unless it transforms or refines, or that cannot be told: a Zod object costs twenty times its JSON Schema.
 */
export function standardParser(schema: StandardSchemaV1): InputParser | "plain" {
  return isPlainZod(schema) ? "plain" : (input) => schema["~standard"].validate(input);
}
