import { type Breadcrumb, isApprovedSeen, isSeen, type JsonObject, type SeenUpstream, StoreError, upstreamOf } from "@toolrack/store";
import { ToolError } from "@toolrack/core";
import { agentOf, type Author, signedBy } from "../audit/author.ts";
import type { Records } from "../store/records.ts";
import { type Ledger, retried } from "./ledger.ts";
import { bulkOf, isPlain } from "./bulk.ts";
import { hashOf } from "./seen.ts";
import type { SourceTrust } from "./source-trust.ts";
import type { DefinitionDecision, DefinitionEvent, Trust, WaitingDefinition } from "./trust.ts";
import { contextOf, toWaiting, toWaitingDraft, waitingIdOf } from "./waiting-record.ts";

export interface DecisionParts {
  readonly ledger: Ledger;
  readonly waits: Records;
  trustOf(source: string): SourceTrust;
  waiting(): readonly WaitingDefinition[];
  /** What was seen last for a record, on this server. */
  printOf(recordId: string): string | undefined;
}

export type Decisions = Pick<Trust, "decide" | "approveSource" | "restore">;

/** What people decide about definitions. Each decision is one transaction with its line in the audit. */
export function createDecisions(parts: DecisionParts): Decisions {
  const { ledger, waits, trustOf, waiting } = parts;

  async function approve(record: Breadcrumb, { by, reason }: Pick<DefinitionDecision, "by" | "reason">): Promise<WaitingDefinition> {
    const known = contextOf(record);
    const one = toWaiting(record);
    const upstream = known.draft.context["upstream"] as SeenUpstream;
    const context = { ...known.draft.context, upstream: { ...upstream, approved: true } } as JsonObject;
    await ledger.write({
      drafts: [{ draft: { ...known.draft, context }, before: await ledger.get(one.record), approved: approvedBy(by, reason) }],
      settled: [record.id],
      audit: [{ kind: "definition-approved", subject: one.tool, ...signedBy(by), body: bodyOf(one, reason) }],
      events: [eventOf("approval", one, upstream.identity, by)],
    });
    await waits.fetch(record.id);
    return one;
  }

  async function refuse(record: Breadcrumb, { by, reason }: DefinitionDecision): Promise<WaitingDefinition> {
    const known = contextOf(record);
    const one = toWaiting(record);
    const upstream = known.draft.context["upstream"] as SeenUpstream;
    await ledger.write({
      waiting: [toWaitingDraft({ ...known, refused: true })],
      audit: [{ kind: "definition-refused", subject: one.tool, ...signedBy(by), body: bodyOf(one, reason) }],
      events: [eventOf("refusal", one, upstream.identity, by)],
    });
    await waits.fetch(record.id);
    return one;
  }

  /** From the store itself: another server may have decided a moment ago. */
  async function fetchOpen(id: string): Promise<Breadcrumb | undefined> {
    const record = await waits.fetch(id);
    return record === undefined || contextOf(record).isWithdrawn === true ? undefined : record;
  }

  async function decide(id: string, decision: DefinitionDecision): Promise<WaitingDefinition | undefined> {
    const record = await fetchOpen(id);
    if (record === undefined) return undefined;
    const { digest } = contextOf(record);
    if (decision.digest !== digest)
      throw new ToolError(
        "INPUT_INVALID",
        `The answer is for another definition than the one that waits under "${id}" now. Look at it again, and decide again.`,
      );
    return decision.approved ? approve(record, decision) : refuse(record, decision);
  }

  return {
    decide: (id, decision) => retried(() => decide(id, decision)),
    async approveSource(source, { digest, ...decision }) {
      const bulk = bulkOf(source, waiting());
      if (bulk.definitions.length === 0) return [];
      if (bulk.digest !== digest)
        throw new ToolError(
          "INPUT_INVALID",
          `What waits of "${source}" has changed since it was looked at. Look at it again, and decide again.`,
        );
      const approved: WaitingDefinition[] = [];
      for (const one of bulk.definitions)
        await retried(async () => {
          const record = await fetchOpen(one.id);
          const now = record && toWaiting(record);
          // Another person, or another server, may have something to say about it meanwhile.
          if (now?.digest === one.digest && now.refused !== true && isPlain(now)) approved.push(await approve(record!, decision));
        });
      return approved;
    },
    restore: (...given) => retried(() => restore(...given)),
  };

  async function restore(...[id, version, by, expected]: Parameters<Trust["restore"]>): ReturnType<Trust["restore"]> {
    const [before, old] = [await ledger.get(id), await ledger.revision(id, version)];
    if (before === undefined || old === undefined || !isSeen(before)) return undefined;
    const tool = String(before.context["name"]);
    const { source, identity } = upstreamOf(before)!;
    if (trustOf(source).isOwn)
      throw new StoreError(
        "STATE_INVALID",
        `The tool "${tool}" is code of this server (source "${source}"): it says what its code says, so an earlier text cannot be restored. Change the code, or describe the tool otherwise by an overlay.`,
      );
    if (expected !== undefined && expected !== before.version)
      throw new StoreError("STATE_INVALID", `The record "${id}" has version ${before.version}, not ${expected}. Look at it again.`);
    if (!isApprovedSeen(old))
      throw new StoreError(
        "STATE_INVALID",
        `Version ${version} of the record "${id}" was never approved, so it cannot be restored. Choose an approved version, or look at what waits: toolrack approvals`,
      );
    const { state: _, upstream, ...context } = old.context;
    const { waits: __, instead: ___, ...origin } = upstream as SeenUpstream;
    // What the source sends now is known to the person who chooses another text.
    const seen = parts.printOf(id) ?? upstreamOf(before)!.waits ?? upstreamOf(before)!.print;
    const next = { ...context, upstream: { ...origin, ...(seen !== origin.print && { instead: seen }) } };
    const { schema_name, title, tags } = old;
    const body = { record: id, version, digest: origin.print };
    const event: DefinitionEvent = { kind: "restore", source, identity, name: origin.name, tool, print: origin.print, by: agentOf(by) };
    const [written] = await ledger.write({
      drafts: [{ before, draft: { id, schema_name, title, tags, context: next }, approved: approvedBy(by, `version ${version} restored`) }],
      settled: waits.get(waitingIdOf(id)) === undefined ? [] : [waitingIdOf(id)],
      listing: { id: `listing-${hashOf(source).slice(0, 24)}`, context: null },
      audit: [{ kind: "definition-restored", subject: tool, ...signedBy(by), body }],
      events: [event],
    });
    return written;
  }
}

function approvedBy(by: Author, reason: string | undefined): string {
  return `Approved by ${agentOf(by)}${reason === undefined || reason === "" ? "" : `: ${reason}`}.`.slice(0, 2_000);
}

function bodyOf({ source, digest, verdict, told, record }: WaitingDefinition, reason: string | undefined): object {
  return { source, digest, record, verdict: verdict ?? null, told, ...(reason !== undefined && { reason }) };
}

function eventOf(
  kind: DefinitionEvent["kind"],
  { source, name, tool, digest }: WaitingDefinition,
  identity: string,
  by: Author,
): DefinitionEvent {
  return { kind, source, identity, name, tool, print: digest, by: agentOf(by) };
}
