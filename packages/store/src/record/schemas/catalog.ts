import type { JsonSchema } from "@toolrack/json-schema";

/** The context of the derived `tool.catalog.v1` record. */
export const catalogContextSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "tool.catalog.v1",
  type: "object",
  required: ["tools", "totalTools", "lastUpdated", "hash"],
  properties: {
    tools: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "description", "inputSchema", "hasConfig"],
        properties: { name: { type: "string" }, hasConfig: { type: "boolean" }, configId: { type: "string" } },
      },
    },
    totalTools: { type: "integer", minimum: 0 },
    lastUpdated: { type: ["string", "null"], format: "date-time", description: "Of the newest record that the catalog is made from." },
    hash: { type: "string", description: "Equal for equal sets of tools, whatever their order." },
  },
};
