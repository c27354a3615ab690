import { definitionPrint } from "@toolrack/core/trust";
import { type SeenUpstream, toSeenDraft, upstreamOf } from "@toolrack/store";
import type { LedgerDraft } from "./ledger.ts";
import { archived, eventOf, idOf, isLive, type Look, originOf, vanished } from "./look.ts";

/** Records what our own code says: every change is followed. */
export async function followSource(look: Look): Promise<void> {
  const { ledger, source, seen } = look;
  const records = await ledger.recordsOf(source.id);
  const drafts = seen.flatMap((one): readonly LedgerDraft[] => {
    const before = records.get(idOf(look, one));
    if (before !== undefined && isLive(before) && upstreamOf(before)!.text === one.text) return [];
    const upstream = { ...originOf(look, one), print: definitionPrint(one.definition), approved: true } as const;
    if (before !== undefined && isLive(before) && upstreamOf(before)!.print === upstream.print) return [];
    return [{ draft: { ...toSeenDraft(one.tool, upstream), id: idOf(look, one) }, before, approved: ownCode }];
  });
  const gone = vanished(look, records);
  const context = { source: source.id, digest: look.listing.digest };
  await ledger.write({
    drafts: [...drafts, ...gone.map(archived)],
    listing: { id: look.listing.id, context },
    events: drafts.map(({ draft, before }) =>
      eventOf(look, draft.context["upstream"] as SeenUpstream, String(draft.context["name"]), before === undefined),
    ),
  });
}

const ownCode = "Code of this server.";
