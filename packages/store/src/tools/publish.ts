import type { ToolDefinition } from "@toolrack/core";
import { mayApproveOwn } from "../access.ts";
import { addToAudit } from "../audit/audit.ts";
import { listedTag } from "../catalog/entry.ts";
import { stateOf } from "../catalog/state.ts";
import type { BreadcrumbDraft, JsonObject } from "../record/breadcrumb.ts";
import { definitionHash } from "../record/decision.ts";
import { definitionSchema } from "../record/identity.ts";
import { jsonEquals } from "../record/json.ts";
import type { BreadcrumbStore, WriteResult } from "../store/store.ts";

export interface PublishOptions {
  /** Publish this version beside others of the same tool, as "tool-def-<name>@<version>". @default false */
  readonly beside?: boolean;
  /** Tags beyond the usual ones. */
  readonly tags?: readonly string[];
}

/**
 * Writes a tool's definition. Publishing the same tool again changes nothing; a state that it was given stays. The owner
 * of the store (`approvesOwn`) who publishes a tool approves it with that: the decision is recorded, also for new content of a definition
 * that was approved so far. What another curator publishes is a draft until someone else approves it.
 */
export async function publishTool(store: BreadcrumbStore, tool: ToolDefinition, options: PublishOptions = {}): Promise<WriteResult> {
  const draft = toDefinitionDraft(tool, options);
  for (let tries = 0; ; tries++) {
    const result = await store.transaction((tx) => publishOnce(tx, draft));
    if (result.ok || result.code !== "conflict" || tries === mostTries) return result;
  }
}

async function publishOnce(tx: BreadcrumbStore, draft: BreadcrumbDraft): Promise<WriteResult> {
  const known = await tx.get(draft.id!);
  if (known === undefined) return tx.put(draft);
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
  const next = { ...known, title: draft.title ?? "", context, tags };
  const decides = mayApproveOwn(tx.actor) && stateOf(known) === "approved";
  const updated = await tx.put(next, decides ? { approve: { reason: published } } : {});
  if (updated.ok && decides) {
    const body = { from: "approved", to: "approved", reason: published, version: updated.record.version, hash: definitionHash(next) };
    await addToAudit(tx, [{ kind: "approved", subject: known.id, body }]);
  }
  return updated;
}

const published = "Published by the owner.";

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
