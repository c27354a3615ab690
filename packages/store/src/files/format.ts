import { StoreError } from "../errors.ts";
import { type Breadcrumb, type BreadcrumbDraft, contentOf, type RecordedDecision } from "../record/breadcrumb.ts";
import { catalogSchema } from "../record/identity.ts";
import { isObject } from "../record/json.ts";

/** A record as it is written to a file: what its author wrote, and its id. The decision about a definition is included for information, and not imported. */
export type RecordFile = Omit<BreadcrumbDraft, "version"> & { readonly id: string; readonly decision?: RecordedDecision };

/** Undefined for what is not exported: the derived catalog, and bodies of sensitivity "secret". */
export function toRecordFile(record: Breadcrumb): RecordFile | undefined {
  if (record.schema_name === catalogSchema || record.sensitivity === "secret") return undefined;
  return { id: record.id, ...contentOf(record), ...(record.decision !== undefined && { decision: record.decision }) };
}

/**
 * Reads a record from parsed JSON. A text in `version`, as in published configurations, is the author's and goes to `semantic_version`; what
 * a store adds by itself (numbers, times, authors) is left out.
 */
export function fromRecordFile(value: unknown): Omit<BreadcrumbDraft, "version"> | undefined {
  if (!isObject(value) || typeof value["schema_name"] !== "string")
    throw new StoreError("RECORD_INVALID", "A record is an object with a schema_name.");
  if (value["schema_name"] === catalogSchema) return undefined;
  const { version, ...rest } = value;
  const draft: Record<string, unknown> = {};
  for (const field of Object.keys(rest)) if (!addedFields.has(field)) draft[field] = rest[field];
  if (typeof version === "string" && draft["semantic_version"] === undefined) draft["semantic_version"] = version;
  return draft as unknown as BreadcrumbDraft;
}

const addedFields: ReadonlySet<string> = new Set([
  "owner",
  "checksum",
  "created_at",
  "created_by",
  "updated_at",
  "updated_by",
  "updated_agent",
  "updated_as",
  "decision",
]);
