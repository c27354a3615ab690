import { type Breadcrumb, isApprovedSeen, type JsonObject, upstreamOf } from "@toolrack/store";
import type { LedgerWrite } from "./ledger.ts";
import type { Look } from "./look.ts";

/** What is on record about the list of a source as a whole. */
export interface ListingRecord extends JsonObject {
  readonly source: string;
  /** What was behind the source whenever a list of it was recorded to its end. */
  readonly identities?: readonly string[];
  /** Of the list of which everything is on record and served. */
  readonly digest?: string;
  /** A first list of which a part is recorded; the rest follows. */
  readonly unfinished?: { readonly identity: string; readonly digest: string };
  /** Nobody has the source any more, and its records are archived. */
  readonly isRemoved?: boolean;
}

export interface ListingOf {
  /** Whether nothing of what is behind the source was on record before. A first list that was recorded in part stays one. */
  readonly isFirst: boolean;
  /** What is written with the first of several batches. */
  begin(isAgreed: boolean): LedgerWrite["listing"];
  /** What is written with the last batch; undefined if that is there already. */
  end(isClean: boolean): LedgerWrite["listing"];
}

export async function firstListOf(look: Look, records: ReadonlyMap<string, Breadcrumb>): Promise<ListingOf> {
  const { source, listing, listings } = look;
  const identity = source.identity ?? "";
  const known = (await listings.fetch(listing.id))?.context as ListingRecord | undefined;
  const { identities = [], unfinished } = known ?? {};
  const goesOn = unfinished?.identity === identity && unfinished.digest === listing.digest;
  const isFirst =
    goesOn ||
    (!identities.includes(identity) &&
      ![...records.values()].some((record) => upstreamOf(record)!.identity === identity && isApprovedSeen(record)));
  let hasBegun = goesOn;
  return {
    isFirst,
    begin(isAgreed) {
      // Only an agreement to the source is for all of its first list.
      if (!isAgreed || hasBegun) return undefined;
      hasBegun = true;
      const context: ListingRecord = { source: source.id, identities, unfinished: { identity, digest: listing.digest } };
      return { id: listing.id, context };
    },
    end(isClean) {
      const isPlain = known !== undefined && known.digest === undefined && unfinished === undefined && known.isRemoved !== true;
      if (isPlain && !isClean && !hasBegun && identities.includes(identity)) return undefined;
      const all = [...new Set([...identities, identity])];
      const context: ListingRecord = { source: source.id, identities: all, ...(isClean && { digest: listing.digest }) };
      return { id: listing.id, context };
    },
  };
}
