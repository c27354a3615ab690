import type { JsonSchema } from "@toolrack/core";

const time = { type: "string", format: "date-time" } as const;

/** A record as a store gives it out. */
export const recordSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Record",
  type: "object",
  required: [
    "owner",
    "id",
    "schema_name",
    "title",
    "tags",
    "context",
    "version",
    "checksum",
    "created_at",
    "created_by",
    "updated_at",
    "updated_by",
    "updated_as",
    "visibility",
    "sensitivity",
  ],
  properties: {
    owner: { type: "string" },
    id: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9._:@/+~-]{0,255}$" },
    schema_name: { type: "string" },
    title: { type: "string" },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true },
    context: { type: "object" },
    version: { type: "integer", minimum: 1 },
    semantic_version: { type: "string" },
    checksum: { type: "string", pattern: "^sha256:[0-9a-f]{64}$" },
    created_at: time,
    created_by: { type: "string" },
    updated_at: time,
    updated_by: { type: "string" },
    updated_as: { enum: ["curator", "emitter"] },
    visibility: { enum: ["private", "team", "public"] },
    sensitivity: { enum: ["low", "pii", "secret"] },
    ttl: {
      type: "object",
      minProperties: 1,
      properties: { at: time, afterMs: { type: "integer", minimum: 1 }, reads: { type: "integer", minimum: 1 } },
      additionalProperties: false,
    },
    grants: { type: "object", additionalProperties: { enum: ["read", "write"] } },
  },
  additionalProperties: false,
};
