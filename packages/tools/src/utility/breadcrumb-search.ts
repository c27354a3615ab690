import { defineTool, type ToolDefinition } from "@toolrack/core";
import { withRecords } from "../operations/breadcrumbs.ts";
import { showRecord, shownRecordSchema, tagsSchema } from "./_records.ts";
import type { UtilityOperations } from "./operations.ts";

export function createBreadcrumbSearch(operations: UtilityOperations): ToolDefinition {
  return defineTool({
    name: "breadcrumb_search",
    title: "Search records",
    description: "Finds records by words, tags and schema name. A record is found if it meets all conditions.",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", minLength: 1, maxLength: 1_000, description: "Words that the record holds." },
        schema_name: { type: "string", minLength: 1, maxLength: 128, description: "Only records of this kind: tool.definition.v1." },
        tags: { ...tagsSchema, description: "Only records with all of these tags." },
        include_context: { type: "boolean", default: false, description: "Whether the records come with their data." },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 10, description: "At most this many records." },
        cursor: { type: "string", maxLength: 2_000, description: "The cursor of the previous page of results." },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        records: { type: "array", items: shownRecordSchema },
        count: { type: "integer" },
        cursor: { type: "string", description: "Where to go on; absent at the end." },
      },
      required: ["records", "count"],
    },
    metadata: {
      category: "utility",
      optionality: "optional",
      usageHint: "To find out what is known or kept already, and the ids of records.",
      examples: [
        { description: "Notes about the warehouse", input: { schema_name: "note.v1", tags: ["warehouse"] }, usage: "result.count" },
      ],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 15_000, maxResultBytes: 524_288 },
      groups: ["utility"],
      tags: ["records"],
    },
    handler: ({ text, schema_name, tags, include_context, limit, cursor }, context) =>
      withRecords(async () => {
        const client = await operations.breadcrumbs(context);
        const page = await client.search({
          limit,
          includeContext: include_context,
          ...(text !== undefined && { text }),
          ...(schema_name !== undefined && { schema_name }),
          ...(tags !== undefined && { allTags: tags }),
          ...(cursor !== undefined && { cursor }),
        });
        const shown = await operations.forModels(page.records);
        const records = page.records.map((record, index) => {
          const hash = operations.definitionHash(record);
          return { ...showRecord(shown[index]!), ...(hash !== undefined && { hash }) };
        });
        return { records, count: records.length, ...(page.cursor !== undefined && { cursor: page.cursor }) };
      }),
  });
}
