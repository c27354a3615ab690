import type { ToolSource } from "@toolrack/core";
import { type Breadcrumb, seenIdOf, type SeenUpstream, stateOf } from "@toolrack/store";
import { shownServer } from "../cluster/server-name.ts";
import type { GuardParts } from "./guard-parts.ts";
import type { LedgerDraft } from "./ledger.ts";
import type { SeenTool } from "./seen.ts";
import type { SourceTrust } from "./source-trust.ts";
import type { DefinitionEvent } from "./trust.ts";

/** One list of a source that differs from the one before. */
export interface Look extends GuardParts {
  readonly source: ToolSource;
  readonly trust: SourceTrust;
  readonly seen: readonly SeenTool[];
  readonly listing: { readonly id: string; readonly digest: string };
}

export function idOf({ source, trust }: Pick<Look, "source" | "trust">, seen: SeenTool): string {
  const known = ids.get(seen);
  if (known?.source === source && known.isOwn === trust.isOwn) return known.id;
  const version = trust.isOwn ? seen.tool.version : undefined;
  const id = seenIdOf({ source: source.id, identity: source.identity ?? "", name: seen.name, version });
  ids.set(seen, { source, isOwn: trust.isOwn, id });
  return id;
}

const ids = new WeakMap<SeenTool, { readonly source: ToolSource; readonly isOwn: boolean; readonly id: string }>();

export function originOf({ source, server }: Look, { name, text }: SeenTool): Omit<SeenUpstream, "print"> {
  return { source: source.id, identity: source.identity ?? "", name, text, by: server.name };
}

export function isLive(record: Breadcrumb): boolean {
  return stateOf(record) === "approved" || stateOf(record) === "deprecated";
}

/** Records of tools that the source listed before, and lists no longer. */
export function vanished(look: Look, records: ReadonlyMap<string, Breadcrumb>): readonly Breadcrumb[] {
  const present = new Set(look.seen.map((one) => idOf(look, one)));
  return [...records.values()].filter((record) => !present.has(record.id) && stateOf(record) !== "archived");
}

export function archived(before: Breadcrumb): LedgerDraft {
  const { id, schema_name, title, tags, context } = before;
  return { before, draft: { id, schema_name, title, tags, context: { ...context, state: "archived" } } };
}

export function eventOf(
  { server }: Look,
  { source, identity, name, print }: SeenUpstream,
  tool: string,
  isFirst: boolean,
): DefinitionEvent {
  return { kind: isFirst ? "first-sight" : "change", source, identity, name, tool, print, by: shownServer(server.name) };
}
