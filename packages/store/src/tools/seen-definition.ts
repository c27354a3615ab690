import { createHash } from "node:crypto";
import type { ToolDefinition } from "@toolrack/core";
import type { Actor } from "../access.ts";
import { isCallable, stateOf, type ToolLifecycle } from "../catalog/state.ts";
import type { Breadcrumb, BreadcrumbDraft, JsonObject } from "../record/breadcrumb.ts";
import { definitionSchema } from "../record/identity.ts";
import { ledgerAgent, seenPrefix, seenTag, type SeenUpstream } from "../record/seen.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { toDefinitionDraft } from "./publish.ts";

/** Who writes the definitions of served tools, for an owner of records. */
export function ledgerActor(owner: string): Actor {
  return { owner, agent: ledgerAgent, roles: ["curator"], approvesOwn: true };
}

/** What identifies a tool: the source, what is behind it, and the upstream's own name, whatever name models know it by. */
export interface SeenKey extends Pick<SeenUpstream, "source" | "identity" | "name"> {
  /** Only of our own code, which may have several versions of a tool. Elsewhere another version is a changed definition. */
  readonly version?: string | undefined;
}

/** The id of the record of a tool: "tool-seen-search_issues-4be1…". */
export function seenIdOf({ source, identity, name, version = "" }: SeenKey): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([source, identity, name, version]))
    .digest("hex");
  return `${seenPrefix}${name.slice(0, 60).replaceAll(/[^A-Za-z0-9_.-]/g, "_")}-${hash.slice(0, 24)}`;
}

/** The tag by which all records of a source are found. */
export function seenSourceTag(source: string): string {
  return `toolrack:source:${encodeURIComponent(source)}`.slice(0, 256);
}

/** The tag by which the records of a tool are found, by the name that models know. */
export function seenToolTag(tool: string): string {
  return `toolrack:tool:${tool}`;
}

/** The record of a served tool. `state` says why it is not served; absent: it is. */
export function toSeenDraft(
  tool: ToolDefinition,
  upstream: SeenUpstream,
  state?: ToolLifecycle,
): BreadcrumbDraft & { readonly id: string } {
  const { tags = [], title = "", context, schema_name } = toDefinitionDraft(tool);
  const { state: _, review: __, upstream: ___, implementation: ____, ...own } = context;
  return {
    id: seenIdOf(upstream),
    schema_name,
    title,
    tags: [...tags, seenTag, seenSourceTag(upstream.source), seenToolTag(tool.name)],
    // Functions and what JSON cannot hold say nothing about a tool.
    context: JSON.parse(JSON.stringify({ ...own, upstream, ...(state !== undefined && { state }) })) as JsonObject,
  };
}

/** The query without the definitions that servers wrote about their tools: for searches of what people and agents wrote. */
export function withoutSeen<Query extends { readonly noneTags?: readonly string[] }>(query: Query): Query {
  return { ...query, noneTags: [...(query.noneTags ?? []), seenTag] };
}

/** The record of the tool with this name that a server saw: the one that is served, else the newest. */
export async function findSeen(store: BreadcrumbStore, tool: string): Promise<string | undefined> {
  if (!/^[\w.-]{1,128}$/.test(tool)) return undefined;
  const found = await store.searchBreadcrumbs({
    schema_name: definitionSchema,
    allTags: [seenTag, seenToolTag(tool)],
    includeContext: true,
  });
  const rank = (record: (typeof found)[number]): number =>
    record.context !== undefined && isCallable(stateOf(record as Breadcrumb)) ? 1 : 0;
  const [best] = found.toSorted((a, b) => rank(b) - rank(a) || (a.updated_at < b.updated_at ? 1 : -1));
  return best?.id;
}
