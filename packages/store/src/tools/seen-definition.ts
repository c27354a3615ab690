import type { ToolDefinition } from "@toolrack/core";
import type { Actor } from "../access.ts";
import { isCallable, stateOf, type ToolLifecycle } from "../catalog/state.ts";
import type { Breadcrumb, BreadcrumbDraft, JsonObject } from "../record/breadcrumb.ts";
import { definitionSchema } from "../record/identity.ts";
import { sha256Of } from "../record/json.ts";
import { plainJson } from "../record/plain-json.ts";
import { isSeen, ledgerAgent, seenPrefix, seenTag, type SeenUpstream } from "../record/seen.ts";
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
  const hash = sha256Of(JSON.stringify([source, identity, name, version]));
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

/** The record of a served tool. `state` says why it is not served; absent: it is. `id` where it is known already. */
export function toSeenDraft(
  tool: ToolDefinition,
  upstream: SeenUpstream,
  { state, id = seenIdOf(upstream) }: { readonly state?: ToolLifecycle | undefined; readonly id?: string } = {},
): BreadcrumbDraft & { readonly id: string } {
  const { tags = [], title = "", context, schema_name } = toDefinitionDraft(tool);
  return {
    id,
    schema_name,
    title,
    tags: [...tags, seenTag, seenSourceTag(upstream.source), seenToolTag(tool.name)],
    // Functions and what JSON cannot hold say nothing about a tool.
    context: plainJson({ ...saidOf(context), upstream, ...(state !== undefined && { state }) }),
  };
}

/** Without what only the store says about a tool. */
function saidOf(context: JsonObject): JsonObject {
  if (!storeFields.some((field) => Object.hasOwn(context, field))) return context;
  const { state: _, review: __, upstream: ___, implementation: ____, ...own } = context;
  return own;
}

const storeFields: readonly string[] = ["state", "review", "upstream", "implementation"];

/** The tags of what a source says beside its tools: it is no tool for the catalog and for searches. */
export function seenTextTags(source: string): readonly string[] {
  return [seenTag, seenSourceTag(source)];
}

/** The query without the definitions that servers wrote about their tools: for searches of what people and agents wrote. */
export function withoutSeen<Query extends { readonly noneTags?: readonly string[] }>(query: Query): Query {
  return { ...query, noneTags: [...(query.noneTags ?? []), seenTag] };
}

/** The records of the tools with these names that a server saw, by name: the one that is served, else the newest. */
export async function findSeen(store: BreadcrumbStore, tools: readonly string[]): Promise<ReadonlyMap<string, Breadcrumb>> {
  const names = [...new Set(tools)].filter((tool) => /^[\w.-]{1,128}$/.test(tool));
  const best = new Map<string, { readonly record: Breadcrumb; readonly isServed: boolean }>();
  for (let start = 0; start < names.length; start += namesAtOnce) {
    const anyTags = names.slice(start, start + namesAtOnce).map(seenToolTag);
    for (const found of await store.searchBreadcrumbs({ schema_name: definitionSchema, anyTags, includeContext: true })) {
      const record = found as Breadcrumb;
      // Anybody may write the tags.
      if (!isSeen(record)) continue;
      const name = String(record.context["name"]);
      const [before, isServed] = [best.get(name), isCallable(stateOf(record))];
      const isBetter = before === undefined || (isServed === before.isServed ? record.updated_at > before.record.updated_at : isServed);
      if (isBetter) best.set(name, { record, isServed });
    }
  }
  return new Map([...best].map(([name, { record }]) => [name, record]));
}

/** As many tags as a search takes. */
const namesAtOnce = 64;
