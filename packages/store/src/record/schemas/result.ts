import type { JsonSchema } from "@toolrack/json-schema";

const meta = {
  type: "object",
  required: ["callId", "tool", "durationMs"],
  properties: {
    callId: { type: "string" },
    tool: { type: "string" },
    version: { type: "string" },
    durationMs: { type: "number", minimum: 0 },
    attempts: { type: "integer", minimum: 1 },
    repairs: { type: "array", items: { type: "string" } },
    warnings: { type: "array", items: { type: "string" } },
    parentCallId: { type: "string" },
  },
} as const;

/** What every call answers. */
export const resultSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "ToolResult",
  type: "object",
  required: ["ok", "meta"],
  properties: { meta: { $ref: "#/$defs/meta" } },
  oneOf: [
    {
      required: ["content"],
      properties: {
        ok: { const: true },
        content: { type: "string" },
        blocks: { type: "array", items: { type: "object", required: ["type"] } },
        data: {},
        effects: { type: "array", items: { type: "object", required: ["kind", "action", "target"] } },
      },
    },
    {
      required: ["error", "code", "status", "retryable"],
      properties: {
        ok: { const: false },
        error: { type: "string" },
        code: { type: "string" },
        status: { type: "integer" },
        issues: { type: "array", items: { type: "object" } },
        retryable: { type: "boolean" },
        retryAfterMs: { type: "number" },
      },
    },
  ],
  $defs: { meta },
};
