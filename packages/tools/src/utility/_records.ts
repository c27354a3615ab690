import type { HandlerResult } from "@toolrack/core";
import type { ShownRecord, StoredRecord } from "../operations/breadcrumbs.ts";
import type { UtilityOperations } from "./operations.ts";

/** A record as the breadcrumb tools show it. */
export const shownRecordSchema = {
  type: "object",
  properties: {
    id: { type: "string" },
    schema_name: { type: "string" },
    title: { type: "string" },
    tags: { type: "array", items: { type: "string" } },
    version: { type: "integer", description: "The version number; incremented by each update." },
    updated_at: { type: "string" },
    context: { type: "object", description: "The data of the record." },
    view_error: { type: "string", description: "Why the data of the record cannot be shown." },
    hash: { type: "string", description: "The content hash of a tool definition." },
  },
  required: ["id", "schema_name", "title", "tags", "version", "updated_at"],
} as const;

export function showRecord(record: ShownRecord): ShownRecord {
  const { id, schema_name, title, tags, version, updated_at, context, view_error } = record;
  const known = { id, schema_name, title, tags, version, updated_at };
  return { ...known, ...(context !== undefined && { context }), ...(view_error !== undefined && { view_error }) };
}

export const recordIdSchema = {
  type: "string",
  minLength: 1,
  maxLength: 256,
  description: "The id of a record, as breadcrumb_search gives it.",
} as const;

export const tagsSchema = {
  type: "array",
  items: { type: "string", minLength: 1, maxLength: 200 },
  maxItems: 64,
  uniqueItems: true,
} as const;

/** What a tool answers that changed a record. */
export async function changedRecord(
  { forModels }: Pick<UtilityOperations, "forModels">,
  record: StoredRecord,
  action: "create" | "update" | "approve",
): Promise<HandlerResult<{ readonly record: ShownRecord }>> {
  const [shown] = await forModels([record]);
  const data = { record: showRecord(shown!) };
  return { ok: true, content: JSON.stringify(data), data, effects: [{ kind: "record", action, target: record.id }] };
}
