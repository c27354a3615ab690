import { defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { mergeJson } from "@toolrack/core/internal";
import { type StoredRecord, withRecords } from "../operations/breadcrumbs.ts";
import { changedRecord, recordIdSchema, shownRecordSchema, tagsSchema } from "./_records.ts";
import type { UtilityOperations } from "./operations.ts";

export function createBreadcrumbUpdate(operations: UtilityOperations): ToolDefinition {
  return defineTool({
    name: "breadcrumb_update",
    title: "Update a record",
    description:
      "Changes a record, if it still has the version that you read. The given data is merged into what is there, and null removes a key, unless replace is set.",
    inputSchema: {
      type: "object",
      properties: {
        id: recordIdSchema,
        version: { type: "integer", minimum: 1, description: "The version that you read." },
        title: { type: "string", maxLength: 500, description: "A new title." },
        tags: { ...tagsSchema, description: "The new list of tags; replaces the existing tags." },
        context: { type: "object", description: "The data to merge, or to put in place." },
        replace: { type: "boolean", default: false, description: "Whether the data takes the place of all that is there." },
      },
      required: ["id", "version"],
      additionalProperties: false,
    },
    outputSchema: { type: "object", properties: { record: shownRecordSchema }, required: ["record"] },
    metadata: {
      category: "utility",
      optionality: "optional",
      usageHint: "To correct or add to a record. Needs the current version of the record.",
      examples: [
        { description: "Add to a note", input: { id: "note-1", version: 1, context: { done: true } }, usage: "result.record.version" },
      ],
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      limits: { timeoutMs: 15_000, maxResultBytes: 262_144 },
      groups: ["utility"],
      tags: ["records"],
    },
    handler: ({ id, version, title, tags, context: data, replace }, context) =>
      withRecords(async () => {
        const client = await operations.breadcrumbs(context);
        const known = await client.get(id);
        if (known === undefined) throw new ToolInputError(`There is no record "${id}". Find it with breadcrumb_search.`);
        if (known.version !== version) throw changed(id, known.version, version);
        const written = await client.put({
          ...authored(known),
          version,
          title: title ?? known.title,
          tags: tags ?? known.tags,
          context: data === undefined ? known.context : replace ? data : mergeJson(known.context, data),
        });
        if (!written.ok)
          throw written.currentVersion === undefined ? new ToolInputError(written.message) : changed(id, written.currentVersion, version);
        return changedRecord(operations, written.record, "update");
      }),
  });
}

function changed(id: string, current: number, read: number): ToolInputError {
  return new ToolInputError(`The record "${id}" has version ${current} by now, and you read ${read}. Read it again, then update it.`);
}

/** The metadata of a record that its author sets; it stays unchanged. */
function authored(record: StoredRecord): Pick<StoredRecord, "id" | "schema_name"> {
  const whole = record as unknown as Record<string, unknown>;
  const kept = ["id", "schema_name", "semantic_version", "model_view", "visibility", "sensitivity", "ttl", "grants"].filter(
    (name) => whole[name] !== undefined,
  );
  return Object.fromEntries(kept.map((name) => [name, whole[name]])) as unknown as Pick<StoredRecord, "id" | "schema_name">;
}
