import type { ToolDefinition } from "@toolrack/core";
import { listedTag } from "../catalog/entry.ts";
import type { BreadcrumbDraft, JsonObject } from "../record/breadcrumb.ts";
import { definitionSchema } from "../record/identity.ts";
import { jsonEquals } from "../record/json.ts";
import type { BreadcrumbStore, WriteResult } from "../store/store.ts";

export interface PublishOptions {
  /** Publish this version beside others of the same tool, as "tool-def-<name>@<version>". @default false */
  readonly beside?: boolean;
  /** Tags beyond the usual ones. */
  readonly tags?: readonly string[];
}

/** Writes a tool's definition. Doing it again with the same tool changes nothing; a state that somebody gave it stays. */
export async function publishTool(store: BreadcrumbStore, tool: ToolDefinition, options: PublishOptions = {}): Promise<WriteResult> {
  const draft = toDefinitionDraft(tool, options);
  for (let tries = 0; ; tries++) {
    const known = await store.get(draft.id!);
    if (known === undefined) {
      const created = await store.put(draft);
      if (created.ok || created.code !== "conflict" || tries === mostTries) return created;
      continue; // Somebody else published it in this very moment.
    }
    const { state, review, deprecated } = known.context;
    const kept = {
      ...(state !== undefined && { state }),
      ...(review !== undefined && { review }),
      ...(deprecated !== undefined && { deprecated }),
    };
    const context = { ...draft.context, ...kept };
    const tags = [...new Set([...known.tags, ...draft.tags!])];
    if (jsonEquals(known.context, context) && known.title === draft.title && tags.length === known.tags.length)
      return { ok: true, record: known, changed: false };
    const updated = await store.put({ ...known, title: draft.title ?? "", context, tags });
    if (updated.ok || updated.code !== "conflict" || tries === mostTries) return updated;
  }
}

/** Somebody who writes at the same moment is waited for; a record that may not be seen is not. */
const mostTries = 20;

/** A tool as a `tool.definition.v1` record. Its handler runs where one is registered under the tool's name. */
export function toDefinitionDraft(tool: ToolDefinition, { beside = false, tags = [] }: PublishOptions = {}): BreadcrumbDraft {
  const { name, description, version, inputSchema, outputSchema, title, metadata = {} } = tool;
  const { when: _, tags: ownTags = [], category, pluginId: __, ...rest } = metadata;
  const context: JsonObject = {
    name,
    ...(version !== undefined && { version }),
    description,
    ...(category !== undefined && { category }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...rest,
  };
  return {
    id: beside && version !== undefined ? `tool-def-${name}@${version}` : `tool-def-${name}`,
    schema_name: definitionSchema,
    title: title ?? name,
    tags: [...new Set(["tool:definition", listedTag, ...(category === undefined ? [] : [`category:${category}`]), ...ownTags, ...tags])],
    context,
  };
}
