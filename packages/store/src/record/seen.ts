import type { Breadcrumb, JsonObject } from "./breadcrumb.ts";

/** Writes the definitions of the tools that a server serves. Nobody else may write those, and nobody signs in under this name. */
export const ledgerAgent = "toolrack-server";

/** The tag of every definition that a server wrote about a tool it serves. */
export const seenTag = "toolrack:seen";

/** What the ids of these records begin with; no other record has such an id. */
export const seenPrefix = "tool-seen-";

/** Where a tool comes from, and what was seen there. */
export interface SeenUpstream {
  /** The source in the registry: "packs", "mcp:github". */
  readonly source: string;
  /** Of the program or address behind the source; "" where the source has none. */
  readonly identity: string;
  /** The upstream's own name for the tool. */
  readonly name: string;
  /** `definitionPrint` of the definition. */
  readonly print: string;
  /** The hash of the definition as it was sent, byte for byte: equal texts need no print. */
  readonly text: string;
  /** The server that saw it. */
  readonly by: string;
  /** The definition in the upstream's own form, where it is pinned. */
  readonly definition?: JsonObject;
  /** A person, or the rule for new tools, approved this definition. Without it a record only says what was seen. */
  readonly approved?: true;
  /** The print of a newer definition that waits for a person. */
  readonly waits?: string;
  /** The print of a newer definition that a person has seen, and shows models this one instead. */
  readonly instead?: string;
}

/** Whether a server wrote this definition about a tool that it serves. */
export function isSeen({ id, created_by }: Pick<Breadcrumb, "id" | "created_by">): boolean {
  return created_by === ledgerAgent && id.startsWith(seenPrefix);
}

/** What a record says about the origin of its tool; undefined for definitions that a person or an agent wrote. */
export function upstreamOf({ context }: { readonly context?: JsonObject }): SeenUpstream | undefined {
  return context?.["upstream"] as SeenUpstream | undefined;
}

/** Whether the definition in this record, or in this revision of it, was ever approved: only such a definition is served or restored. */
export function isApprovedSeen(record: { readonly context?: JsonObject }): boolean {
  return upstreamOf(record)?.approved === true;
}
