import { definitionPrint } from "@toolrack/core/trust";
import { type SeenUpstream, toSeenDraft, upstreamOf } from "@toolrack/store";
import { inBatches } from "./batches.ts";
import type { LedgerDraft } from "./ledger.ts";
import { archived, eventOf, idOf, isLive, type Look, originOf, vanished } from "./look.ts";
import type { SeenTool } from "./seen.ts";

/** Records what our own code says: every change is followed. The list counts as recorded with the last batch of it. */
export async function followSource(look: Look): Promise<void> {
  const { ledger, source, seen } = look;
  const records = await ledger.recordsOf(source.id);

  const met = new Set<string>();

  function draftOf(one: SeenTool): readonly LedgerDraft[] {
    const id = idOf(look, one);
    // Of a tool that is listed twice, the registry serves the first one.
    if (met.has(id)) return [];
    met.add(id);
    const before = records.get(id);
    if (before !== undefined && isLive(before) && upstreamOf(before)!.text === one.text) return [];
    const upstream = { ...originOf(look, one), print: definitionPrint(one.definition), approved: true } as const;
    if (before !== undefined && isLive(before) && upstreamOf(before)!.print === upstream.print) return [];
    return [{ draft: toSeenDraft(one.tool, upstream, { id }), before, approved: ownCode }];
  }

  const listing = { id: look.listing.id, context: { source: source.id, digest: look.listing.digest } };
  for await (const { items, isLast } of inBatches(seen)) {
    const drafts = items.flatMap(draftOf);
    if (drafts.length === 0 && !isLast) continue;
    await ledger.write({
      drafts: [...drafts, ...(isLast ? vanished(look, records).map(archived) : [])],
      ...(isLast && { listing }),
      events: drafts.map(({ draft, before }) =>
        eventOf(look, draft.context["upstream"] as SeenUpstream, String(draft.context["name"]), before === undefined),
      ),
    });
  }
}

const ownCode = "Code of this server.";
