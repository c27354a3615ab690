import { StoreError } from "../errors.ts";
import type { Breadcrumb, JsonObject } from "../record/breadcrumb.ts";
import { isObject } from "../record/json.ts";
import { type ModelView, readModelView, viewContext } from "../record/model-view.ts";
import type { BreadcrumbStore, FoundBreadcrumb } from "./store.ts";

/** The record with the view for all records of one schema: its id is "schema-view:" and the name of that schema. Only a curator's counts. */
export const schemaViewSchema = "schema.view.v1";

/** A record as models see it: with its context by its view, or with the reason why that could not be made. */
export type ModelRecord = FoundBreadcrumb & { readonly view_error?: string };

/**
 * The records as models see them: by the view of the record, else by the one of its schema. The source of a tool is never shown.
 * @param store the server's own, so that every view is found, whatever the one who asks may read
 */
export async function forModels(store: BreadcrumbStore, records: readonly FoundBreadcrumb[]): Promise<readonly ModelRecord[]> {
  const views = new Map<string, ModelView | undefined>();
  for (const { schema_name, model_view, context } of records)
    if (context !== undefined && model_view === undefined && !views.has(schema_name))
      views.set(schema_name, await schemaViewOf(store, schema_name));
  return records.map((record) => {
    const { context, model_view, ...rest } = record;
    if (context === undefined) return record;
    try {
      return { ...rest, context: viewContext(withoutCode(record, context), model_view ?? views.get(record.schema_name) ?? {}) };
    } catch (error) {
      if (!StoreError.is(error)) throw error;
      return { ...rest, view_error: error.message };
    }
  });
}

/** One record, or VIEW_FAILED with the reason. */
export async function forModel(store: BreadcrumbStore, record: Breadcrumb): Promise<Omit<Breadcrumb, "model_view">> {
  const [{ view_error, context, ...shown }] = (await forModels(store, [record])) as [ModelRecord];
  if (context === undefined) throw new StoreError("VIEW_FAILED", view_error!);
  return { ...shown, context };
}

async function schemaViewOf(store: BreadcrumbStore, schemaName: string): Promise<ModelView | undefined> {
  const id = `schema-view:${schemaName}`;
  const record = id.length > 256 ? undefined : await store.get(id);
  if (record?.schema_name !== schemaViewSchema || record.updated_as !== "curator") return undefined;
  return readModelView(record.context, `The context of ${id}`);
}

/** What a stored tool does is for those who approve it; a model needs its description and its schema. */
function withoutCode({ schema_name }: FoundBreadcrumb, context: JsonObject): JsonObject {
  if (schema_name !== "tool.definition.v1") return context;
  const { implementation, code: _, ...rest } = context;
  if (!isObject(implementation)) return rest;
  const { source: __, code: ___, ...shown } = implementation;
  return { ...rest, implementation: shown };
}
