import { type Breadcrumb, type BreadcrumbDraft, isApprovedSeen, type SeenUpstream, seenTextTags, toSeenDraft } from "@toolrack/store";
import type { Verdict } from "./judge.ts";
import type { LedgerDraft } from "./ledger.ts";
import { idOf, type Look } from "./look.ts";
import { textSchema } from "./schemas.ts";
import type { SeenTool } from "./seen.ts";

/** The record of a tool, or of what a source says beside its tools, which is no tool for the catalog and for searches. */
export function draftOf(look: Look, one: SeenTool, upstream: SeenUpstream, state?: "draft"): ReturnType<typeof toSeenDraft> {
  const { tool, beside } = one;
  const draft = toSeenDraft(tool, upstream, { state, id: idOf(look, one) });
  return beside === undefined ? draft : { ...draft, schema_name: textSchema, tags: seenTextTags(upstream.source) };
}

/** The record of a changed tool, with what stays approved because the source leaves it out: see `withPinnedWhereAbsent`. */
export function withKept<Draft extends BreadcrumbDraft>(draft: Draft, before: Breadcrumb | undefined, { definition }: Verdict): Draft {
  if (before === undefined || !isApprovedSeen(before)) return draft;
  const kept = ["annotations", "outputSchema"].filter(
    (field) => definition[field] !== undefined && draft.context[field] === undefined && before.context[field] !== undefined,
  );
  if (kept.length === 0) return draft;
  return { ...draft, context: { ...draft.context, ...Object.fromEntries(kept.map((field) => [field, before.context[field]])) } };
}

/** As it was approved, served again. */
export function revived(before: Breadcrumb): LedgerDraft {
  const { id, schema_name, title, tags } = before;
  const { state: _, upstream, ...context } = before.context;
  const { waits: __, ...origin } = upstream as SeenUpstream;
  return { before, draft: { id, schema_name, title, tags, context: { ...context, upstream: origin } }, approved: "As it was approved." };
}

/** What is on record about a tool while its definition waits. */
export function waitingDraft(
  look: Look,
  one: SeenTool,
  before: Breadcrumb | undefined,
  upstream: SeenUpstream,
  { serve, print, wait }: Verdict,
): LedgerDraft {
  if (before === undefined || !isApprovedSeen(before))
    return wait!.effect === "held"
      ? { before, draft: draftOf(look, one, upstream, "draft") }
      : { before, draft: draftOf(look, one, upstream), approved: "Served although it waits: trust.enforce is false." };
  const { id, schema_name, title, tags } = before;
  const { state: _, upstream: origin, ...context } = before.context;
  const noted = { ...context, upstream: { ...(origin as SeenUpstream), waits: print } };
  return serve === "nothing"
    ? { before, draft: { id, schema_name, title, tags, context: { ...noted, state: "changed" } } }
    : { before, draft: { id, schema_name, title, tags, context: noted }, approved: "As it was approved; a change waits." };
}

/** Why a definition was pinned without a person. */
export function pinnedBecause({ trust }: Look, isAgreed: boolean): string {
  if (isAgreed) return "A person agreed to the source.";
  return trust.first === "scan" ? "The scanner found nothing to look at." : `The source is configured with trust.first: ${trust.first}.`;
}
