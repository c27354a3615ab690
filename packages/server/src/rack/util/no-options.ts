import type { JsonSchema } from "@toolrack/json-schema";

/** The options of a pack or type of source that declares none. */
export const noOptions: JsonSchema = { type: "object", additionalProperties: false };
