import type { Logger } from "@toolrack/core";
import {
  addToAudit,
  type AuditNote,
  type Breadcrumb,
  type BreadcrumbDraft,
  type BreadcrumbStore,
  findSeen,
  ledgerActor,
  type Put,
  seenSourceTag,
  StoreError,
  upstreamOf,
  type WriteResult,
} from "@toolrack/store";
import { serverActor } from "../store/open-store.ts";
import { listingSchema, textSchema, waitingSchema } from "./schemas.ts";
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
  /** By the name of a tool: the source on record for it. */
  sourcesOf(tools: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Throws a `Conflict` if another server was first. */
  write(news: LedgerWrite): Promise<readonly Breadcrumb[]>;
}

/** Another server wrote the same record meanwhile: read it again. */
export class Conflict extends Error {}

export function createLedger({ store, log, logDefinitions }: LedgerOptions): Ledger {
  const own = store.as(ledgerActor(store.actor.owner));

  function toPut({ draft, before, approved }: LedgerDraft): Put {
    const given = before === undefined ? draft : { ...draft, version: before.version };
    const options = approved === undefined ? { undecided: true } : { approve: { reason: approved } };
    return { draft: { ...given, visibility: draft.schema_name === textSchema ? "private" : "public" }, ...options };
  }

  async function writeOnce({
    drafts = [],
    waiting = [],
    settled = [],
    listing,
    audit = [],
    events = [],
  }: LedgerWrite): Promise<readonly Breadcrumb[]> {
    return store.transaction(async (tx) => {
      const [ledger, inner] = [tx.as(own.actor), tx.as(serverActor)];
      const written = recordsIn(await ledger.putAll(drafts.map(toPut)));
      for (const id of settled) await inner.remove(id);
      if (listing?.context === null) await inner.remove(listing.id);
      const ofServer = [
        ...waiting.map((draft) => ({ ...draft, schema_name: waitingSchema, visibility: "private" as const })),
        ...(listing === undefined || listing.context === null
          ? []
          : [{ id: listing.id, title: "Tools of a source", context: listing.context, schema_name: listingSchema }]),
      ];
      recordsIn(await inner.putAll(ofServer.map((draft) => ({ draft, replace: true }))));
      if (events.length > 0) await logDefinitions?.(tx, events);
      if (audit.length > 0) await addToAudit(tx, audit);
      return written;
    });
  }

  return {
    async recordsOf(source) {
      const query = { tag: seenSourceTag(source), includeContext: true } as const;
      const all = await Promise.all(
        ["tool.definition.v1", textSchema].map((schema_name) => own.searchBreadcrumbs({ ...query, schema_name })),
      );
      const found = all.flat().filter((record) => upstreamOf(record)?.source === source);
      return new Map(found.map((record) => [record.id, record as Breadcrumb]));
    },
    get: (id) => own.get(id),
    async revision(id, version) {
      const [change] = await own.history(id, { before: version + 1, limit: 1 });
      return change?.record.version === version ? change.record : undefined;
    },
    async sourcesOf(tools) {
      return new Map([...(await findSeen(own, tools))].map(([tool, record]) => [tool, upstreamOf(record)!.source]));
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

/** What was written. Throws where something was refused, so that the transaction leaves nothing. */
function recordsIn(results: readonly WriteResult[]): readonly Breadcrumb[] {
  return results.map((result) => {
    if (result.ok) return result.record;
    throw result.code === "taken" ? new StoreError("STATE_INVALID", result.message) : new Conflict(result.message);
  });
}

/**
 * Another server may write the same at the same time: then its records are read, and there is less left to do. Whoever was first has written a
 * batch, so that even two that record the same long list come to its end.
 */
export async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Conflict) || tries === maxTries) throw error;
    }
  }
}

const maxTries = 200;
