import type { HandlerResult } from "@toolrack/core";
import type { StoredRecord } from "../operations/breadcrumbs.ts";

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
    hash: { type: "string", description: "The content hash of a tool definition." },
  },
  required: ["id", "schema_name", "title", "tags", "version", "updated_at"],
} as const;

export type ShownRecord = Omit<StoredRecord, "context"> & Partial<Pick<StoredRecord, "context">>;

export function showRecord(record: ShownRecord): ShownRecord {
  const { id, schema_name, title, tags, version, updated_at, context } = record;
  return { id, schema_name, title, tags, version, updated_at, ...(context !== undefined && { context }) };
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
export function changedRecord(
  record: StoredRecord,
  action: "create" | "update" | "approve",
): HandlerResult<{ readonly record: ShownRecord }> {
  const data = { record: showRecord(record) };
  return { ok: true, content: JSON.stringify(data), data, effects: [{ kind: "record", action, target: record.id }] };
}
