import type { JsonSchema } from "@toolrack/json-schema";
import { recordSchema } from "./record.ts";

const { $schema, ...record } = recordSchema;

/** One event of the feed. */
export const changeSchema: JsonSchema = {
  $schema,
  title: "Change",
  type: "object",
  required: ["sequence", "type", "record"],
  properties: {
    sequence: { type: "integer", minimum: 1, description: "Counts up by one, without gaps, in the order of the commits." },
    type: { enum: ["created", "updated", "deleted", "expired"] },
    record: { $ref: "#/$defs/record" },
  },
  additionalProperties: false,
  $defs: { record },
};
