import type { JsonSchema } from "@toolrack/json-schema";

/** The context of a `tool.config.v1` record. A value "secret:<name>" refers to a secret; the secret itself is never in the record. */
export const configContextSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "tool.config.v1",
  type: "object",
  required: ["tool", "config"],
  properties: {
    tool: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$" },
    config: { type: "object" },
  },
};
