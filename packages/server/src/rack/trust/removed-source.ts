import { type Breadcrumb, stateOf } from "@toolrack/store";
import { inBatches } from "./batches.ts";
import type { GuardParts } from "./guard-parts.ts";
import type { ListingRecord } from "./listing.ts";
import { archived } from "./look.ts";
import { contextOf, toWaiting, toWaitingDraft } from "./waiting-record.ts";

/**
 * Takes the tools of a source that nobody has any more out of the catalog: their records are archived, and keep their history. What waited
 * of it waits no longer. If the source comes back, what was approved is served again, and everything else waits again.
 */
export async function archiveSource({ ledger, waits }: Pick<GuardParts, "ledger" | "waits">, listing: Breadcrumb): Promise<void> {
  const { digest: _, unfinished: __, ...known } = listing.context as ListingRecord;
  const gone = [...(await ledger.recordsOf(known.source)).values()].filter((record) => stateOf(record) !== "archived");
  const waiting = [...waits.values()].filter(
    (record) => toWaiting(record).source === known.source && contextOf(record).isWithdrawn !== true,
  );
  for await (const { items, isLast } of inBatches(gone)) {
    const tools = items.map(({ context }) => context["name"]);
    const body = { count: tools.length, tools, reason: "The source was removed." };
    await ledger.write({
      drafts: items.map(archived),
      audit: tools.length === 0 ? [] : [{ kind: "definitions-vanished", subject: known.source, agent: "server", body }],
      ...(isLast && {
        waiting: waiting.map((record) => toWaitingDraft({ ...contextOf(record), isWithdrawn: true })),
        listing: { id: listing.id, context: { ...known, isRemoved: true } },
      }),
    });
  }
  for (const { id } of waiting) await waits.fetch(id);
}
