import type { Logger } from "@toolrack/core";
import {
  addToAudit,
  type AuditNote,
  type Breadcrumb,
  type BreadcrumbDraft,
  type BreadcrumbStore,
  findSeen,
  ledgerActor,
  seenSourceTag,
  StoreError,
  upstreamOf,
} from "@toolrack/store";
import { serverActor } from "../store/open-store.ts";
import { listingSchema, waitingSchema } from "./schemas.ts";
import type { DefinitionEvent, LogDefinitions } from "./trust.ts";

/** One transaction's worth of news about a source: all of it is written, or nothing. */
export interface LedgerWrite {
  /** New revisions of definitions. */
  readonly drafts?: readonly LedgerDraft[];
  /** Definitions that wait. */
  readonly waiting?: readonly (Omit<BreadcrumbDraft, "schema_name" | "version"> & { readonly id: string })[];
  /** Ids of definitions that wait no longer. */
  readonly settled?: readonly string[];
  /** What a source lists as a whole; null: it is looked at anew. */
  readonly listing?: { readonly id: string; readonly context: BreadcrumbDraft["context"] | null };
  readonly audit?: readonly AuditNote[];
  readonly events?: readonly DefinitionEvent[];
}

export interface LedgerDraft {
  readonly draft: BreadcrumbDraft & { readonly id: string };
  /** The record that it replaces. */
  readonly before: Breadcrumb | undefined;
  /** Why it may be served; absent: it may not. */
  readonly approved?: string;
}

/** The records of served tools, and what waits. */
export interface Ledger {
  /** All records of a source, by id. Throws if the store cannot be read: nothing is pinned anew then. */
  recordsOf(source: string): Promise<ReadonlyMap<string, Breadcrumb>>;
  get(id: string): Promise<Breadcrumb | undefined>;
  /** The revision of a record. */
  revision(id: string, version: number): Promise<Breadcrumb | undefined>;
  /** The source on record for a tool of this name. */
  sourceOf(tool: string): Promise<string | undefined>;
  /** Throws a `Conflict` if another server was first. */
  write(news: LedgerWrite): Promise<readonly Breadcrumb[]>;
}

/** Another server wrote the same record meanwhile: read it again. */
export class Conflict extends Error {}

export function createLedger({ store, log, logDefinitions }: LedgerOptions): Ledger {
  const own = store.as(ledgerActor(store.actor.owner));

  async function put(tx: BreadcrumbStore, { draft, before, approved }: LedgerDraft): Promise<Breadcrumb> {
    const given = before === undefined ? draft : { ...draft, version: before.version };
    const options = approved === undefined ? { undecided: true } : { approve: { reason: approved } };
    const result = await tx.put({ ...given, visibility: "public" }, options);
    if (result.ok) return result.record;
    if (result.code === "conflict" || result.code === "not-found") throw new Conflict(result.message);
    throw new StoreError("STATE_INVALID", result.message);
  }

  async function writeOnce({
    drafts = [],
    waiting = [],
    settled = [],
    listing,
    audit = [],
    events = [],
  }: LedgerWrite): Promise<Breadcrumb[]> {
    return store.transaction(async (tx) => {
      const [ledger, inner] = [tx.as(own.actor), tx.as(serverActor)];
      const written: Breadcrumb[] = [];
      for (const one of drafts) written.push(await put(ledger, one));
      for (const draft of waiting) await replace(inner, { ...draft, schema_name: waitingSchema, visibility: "private" });
      for (const id of settled) await inner.remove(id);
      if (listing?.context === null) await inner.remove(listing.id);
      else if (listing !== undefined)
        await replace(inner, { id: listing.id, title: "Tools of a source", context: listing.context, schema_name: listingSchema });
      if (events.length > 0) await logDefinitions?.(tx, events);
      if (audit.length > 0) await addToAudit(tx, audit);
      return written;
    });
  }

  return {
    async recordsOf(source) {
      const query = { schema_name: "tool.definition.v1", tag: seenSourceTag(source), includeContext: true } as const;
      const found = (await own.searchBreadcrumbs(query)).filter((record) => upstreamOf(record)?.source === source);
      return new Map(found.map((record) => [record.id, record as Breadcrumb]));
    },
    get: (id) => own.get(id),
    async revision(id, version) {
      const [change] = await own.history(id, { before: version + 1, limit: 1 });
      return change?.record.version === version ? change.record : undefined;
    },
    async sourceOf(tool) {
      const id = await findSeen(own, tool);
      const record = id === undefined ? undefined : await own.get(id);
      return record && upstreamOf(record)?.source;
    },
    write: ({ drafts = [], ...rest }) => writeValid(drafts, rest),
  };

  /** A definition that cannot be a record is left out alone. */
  async function writeValid(drafts: readonly LedgerDraft[], rest: Omit<LedgerWrite, "drafts">): Promise<readonly Breadcrumb[]> {
    try {
      return await writeOnce({ ...rest, drafts });
    } catch (error) {
      if (!StoreError.is(error) || error.code !== "RECORD_INVALID") throw error;
      const lean = drafts.map((one) => ({ ...one, draft: leanOf(one.draft) }));
      log.debug?.("Definitions are recorded without their metadata.", { error: error.message });
      return writeOnce({ ...rest, drafts: lean });
    }
  }
}

export interface LedgerOptions {
  readonly store: BreadcrumbStore;
  readonly log: Logger;
  readonly logDefinitions: LogDefinitions | undefined;
}

/** What models see, without metadata that a record cannot hold. */
function leanOf(draft: LedgerDraft["draft"]): LedgerDraft["draft"] {
  const { name, description, inputSchema, outputSchema, upstream, state } = draft.context;
  const kept = { name, description, inputSchema, outputSchema, upstream, state };
  const tags = (draft.tags ?? []).filter((tag) => /^[^\s\p{C}]{1,256}$/u.test(tag));
  return {
    ...draft,
    tags,
    title: (draft.title ?? "").slice(0, 200),
    context: JSON.parse(JSON.stringify(kept)) as LedgerDraft["draft"]["context"],
  };
}

async function replace(store: BreadcrumbStore, draft: BreadcrumbDraft & { readonly id: string }): Promise<void> {
  const known = await store.get(draft.id);
  const result = await store.put({ ...draft, ...(known !== undefined && { version: known.version }) });
  if (!result.ok) throw new Conflict(result.message);
}
