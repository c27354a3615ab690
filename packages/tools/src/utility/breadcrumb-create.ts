import { defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { withRecords } from "../operations/breadcrumbs.ts";
import { changedRecord, shownRecordSchema, tagsSchema } from "./_records.ts";
import type { UtilityOperations } from "./operations.ts";

export function createBreadcrumbCreate(operations: UtilityOperations): ToolDefinition {
  return defineTool({
    name: "breadcrumb_create",
    title: "Create a record",
    description: "Writes a new record: a note for later, a tool definition, or any data with a schema name. Refused where the id is taken.",
    inputSchema: {
      type: "object",
      properties: {
        schema_name: {
          type: "string",
          minLength: 1,
          maxLength: 128,
          description: "What kind of record it is: note.v1, tool.definition.v1.",
        },
        title: { type: "string", maxLength: 500, default: "", description: "A short title of the record." },
        context: { type: "object", description: "The data of the record." },
        tags: { ...tagsSchema, default: [], description: "Words to find it by." },
        id: { type: "string", minLength: 1, maxLength: 256, description: "An id of your own; one is made up if absent." },
      },
      required: ["schema_name", "context"],
      additionalProperties: false,
    },
    outputSchema: { type: "object", properties: { record: shownRecordSchema }, required: ["record"] },
    metadata: {
      category: "utility",
      optionality: "optional",
      usageHint: "To keep something for later or for others. Look with breadcrumb_search first whether it is there already.",
      examples: [
        {
          description: "Keep a note",
          input: { schema_name: "note.v1", title: "Delivery", context: { text: "The gate code changed." }, tags: ["warehouse"] },
          usage: "result.record.id",
        },
      ],
      annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
      limits: { timeoutMs: 15_000, maxResultBytes: 262_144 },
      groups: ["utility"],
      tags: ["records"],
    },
    handler: ({ schema_name, title, context: data, tags, id }, context) =>
      withRecords(async () => {
        const client = await operations.breadcrumbs(context);
        const draft = { schema_name, title, tags, context: data, ...(id !== undefined && { id }) };
        // Approving is a tool of its own, with a reason.
        const written = await client.put(draft, { undecided: true });
        if (!written.ok) throw new ToolInputError(`The record was not written: ${written.message}`);
        return changedRecord(operations, written.record, "create");
      }),
  });
}
