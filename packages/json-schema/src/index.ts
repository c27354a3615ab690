// The public names of @toolrack/json-schema, one by one: adding a line here is a decision.

export { SchemaError, type SchemaErrorCode, schemaErrorCodes } from "./errors.ts";

// Schemas
export type { InferSchema } from "./schema/infer.ts";
export { readSchema } from "./schema/read-schema.ts";
export { schemaLimits } from "./schema/read-shape.ts";
export type { JsonSchema } from "./schema/schema.ts";

// Validation
export type { Issue } from "./validate/issues.ts";
export type { ValidateOptions } from "./validate/options.ts";
export { fillDefaults, type Validated, validateValue, type Validator, validatorFor } from "./validate/validate.ts";

// What can be made of a schema, or of a value that does not match one
export { exampleOf } from "./example.ts";
export { normalizeSchema, type NormalSchema, type SchemaChange } from "./normal/normal.ts";
export { type Repaired, repairValue } from "./repair.ts";
export { type ConvertedSchema, fromStandardSchema, type InputParser, isStandardSchema } from "./standard/standard.ts";
export { stripUnknown } from "./standard/strip.ts";

// Patterns and JSON values
export { compilePattern, type Pattern } from "./pattern/pattern.ts";
export { canonicalJson, type Json, jsonEquals } from "./util/json.ts";
