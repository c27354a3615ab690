import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { InferSchema } from "@toolrack/json-schema";

/** What a handler receives: the output of a Standard Schema, or the type that a literal JSON Schema describes. */
export type InferInput<Schema> = Schema extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<Schema> : InferSchema<Schema>;
