import { setTimeout as sleep } from "node:timers/promises";
import { type Breadcrumb, type BreadcrumbDraft, type BreadcrumbStore, type JsonObject, StoreError } from "@toolrack/store";

/** All records of one owner, in memory, updated by one feed: what another server writes arrives a moment later. */
export interface RecordFeed {
  of(schemaName: string): Records;
  /** The delay of the last change; while the feed fails, how long it has been failing. */
  lagMs(): number;
  /** The number of the newest change of the store that was processed. */
  position(): number;
  close(): Promise<void>;
}

/** The records of one kind. */
export interface Records {
  get(id: string): Breadcrumb | undefined;
  values(): IterableIterator<Breadcrumb>;
  /** Creates a record; undefined if it exists. What `beside` writes with the store that it gets is written as well, or nothing is. */
  create(draft: RecordDraft, beside?: (tx: BreadcrumbStore) => Promise<void>): Promise<Breadcrumb | undefined>;
  /** Writes a record, replacing any other. */
  write(draft: RecordDraft): Promise<Breadcrumb>;
  /** Writes several, all or none. */
  writeAll(drafts: readonly RecordDraft[]): Promise<readonly Breadcrumb[]>;
  /** Changes exactly the given version, and its expiry; undefined if the version differs or the record is gone. */
  replace(record: Breadcrumb, context: JsonObject, ttl: BreadcrumbDraft["ttl"]): Promise<Breadcrumb | undefined>;
  /** With a version, only if the record has that version. Returns whether it was removed. */
  remove(id: string, version?: number): Promise<boolean>;
  /** Reads from the store itself, for what another server may just have written. */
  fetch(id: string): Promise<Breadcrumb | undefined>;
  /** Called for each new, changed or removed record. */
  subscribe(listener: RecordListener): () => void;
}

export type RecordDraft = Omit<BreadcrumbDraft, "schema_name" | "version"> & { readonly id: string };
export type RecordListener = (id: string, record: Breadcrumb | undefined) => void;

export async function followRecords(store: BreadcrumbStore, onError: (error: unknown) => void): Promise<RecordFeed> {
  const kinds = new Map<string, Kind>();
  const controller = new AbortController();
  const since = await store.sequence();
  for (const record of await readAll()) kindOf(record.schema_name).records.set(record.id, record);

  async function readAll(): Promise<readonly Breadcrumb[]> {
    const found = await store.searchBreadcrumbs({ includeContext: true });
    return found.flatMap(({ context, ...record }) => (context === undefined ? [] : [{ ...record, context }]));
  }

  /** After changes were lost: reads what exists now, and removes the rest. Returns the number to continue from. */
  async function catchUp(): Promise<number> {
    const sequence = await store.sequence();
    const found = await readAll();
    const ids = new Set(found.map(({ id }) => id));
    for (const kind of kinds.values())
      for (const { id, version } of kind.records.values()) if (!ids.has(id)) kind.apply(id, version + 1, undefined);
    for (const record of found) kindOf(record.schema_name).apply(record.id, record.version, record);
    return sequence;
  }

  function kindOf(schemaName: string): Kind {
    let kind = kinds.get(schemaName);
    if (kind === undefined) kinds.set(schemaName, (kind = createKind(onError)));
    return kind;
  }

  let lastLagMs = 0;
  let failingSince: number | undefined;
  let seen = since;
  const onSeen = (sequence: number): void => void (seen = sequence);
  const following = (async () => {
    while (!controller.signal.aborted) {
      try {
        for await (const { type, record } of store.changes({ since: seen, signal: controller.signal, onSeen })) {
          failingSince = undefined;
          lastLagMs = Math.max(0, Date.now() - Date.parse(record.updated_at));
          const isGone = type === "deleted" || type === "expired";
          kindOf(record.schema_name).apply(record.id, record.version, isGone ? undefined : record);
        }
        return;
      } catch (error) {
        if (controller.signal.aborted) return;
        if (StoreError.is(error) && error.code === "CHANGES_GONE") {
          const sequence = await catchUp().catch((failure: unknown) => onError(failure));
          if (sequence !== undefined) seen = sequence;
          else await sleep(retryMs);
          continue;
        }
        failingSince ??= performance.now();
        onError(error);
        await sleep(retryMs);
      }
    }
  })();

  return {
    lagMs: () => (failingSince === undefined ? lastLagMs : Math.max(lastLagMs, performance.now() - failingSince)),
    of: (schemaName) => createRecords(store, schemaName, kindOf(schemaName)),
    position: () => seen,
    async close() {
      controller.abort();
      await following;
    },
  };
}

const retryMs = 500;

/** What is known of the records of one kind. */
interface Kind {
  readonly records: Map<string, Breadcrumb>;
  readonly listeners: Set<RecordListener>;
  /** Applies a version, or the removal of a record; a version older than the known one changes nothing. */
  apply(id: string, version: number, record: Breadcrumb | undefined): void;
}

function createKind(onError: (error: unknown) => void): Kind {
  const records = new Map<string, Breadcrumb>();
  /** The last version of recently removed records, so that an older change that arrives later does not restore them. */
  const gone = new Map<string, { readonly version: number; readonly at: number }>();
  const listeners = new Set<RecordListener>();
  return {
    records,
    listeners,
    apply(id, version, record) {
      const known = records.get(id);
      // What this process wrote, or read at the start, may be newer than the feed.
      const last = gone.get(id);
      const wasLately = last !== undefined && performance.now() - last.at < goneMs;
      if (version <= (known?.version ?? (wasLately ? last.version : 0))) return;
      gone.delete(id);
      if (record !== undefined) records.set(id, record);
      else {
        records.delete(id);
        gone.set(id, { version, at: performance.now() });
        if (gone.size > maxGone) gone.delete(gone.keys().next().value!);
        if (known === undefined) return;
      }
      for (const listener of listeners) {
        try {
          listener(id, record);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

const maxGone = 10_000;
/** Longer than any delay of the feed, and shorter than the retention of removed records, after which versions start again. */
const goneMs = 3_600_000;

function createRecords(store: BreadcrumbStore, schema_name: string, { records, listeners, apply }: Kind): Records {
  async function put(draft: BreadcrumbDraft, beside?: (tx: BreadcrumbStore) => Promise<void>): Promise<Breadcrumb | undefined> {
    const result = await (beside === undefined
      ? store.put(draft)
      : store.transaction(async (tx) => {
          await beside(tx);
          return tx.put(draft);
        }));
    if (!result.ok) return undefined;
    apply(result.record.id, result.record.version, result.record);
    return result.record;
  }

  async function writeAll(drafts: readonly RecordDraft[]): Promise<readonly Breadcrumb[]> {
    const written = await store.transaction(async (tx) => {
      const all: Breadcrumb[] = [];
      for (const draft of drafts) {
        const known = await tx.get(draft.id);
        const result = await tx.put({ ...draft, schema_name, ...(known !== undefined && { version: known.version }) });
        if (!result.ok) throw new Error(result.message);
        all.push(result.record);
      }
      return all;
    });
    for (const record of written) apply(record.id, record.version, record);
    return written;
  }

  return {
    get: (id) => records.get(id),
    values: () => records.values(),
    create: (draft, beside) => put({ ...draft, schema_name }, beside),
    write: async (draft) => (await writeAll([draft]))[0]!,
    writeAll,
    replace: ({ id, version, title, tags, sensitivity, visibility }, context, ttl) =>
      put({ id, version, schema_name, title, tags, sensitivity, visibility, context, ...(ttl !== undefined && { ttl }) }),
    async remove(id, version) {
      const removed = await store.remove(id, { ...(version !== undefined && { version }) });
      if (removed.ok) apply(id, removed.record.version, undefined);
      return removed.ok;
    },
    async fetch(id) {
      const found = await store.get(id);
      if (found === undefined && records.has(id)) apply(id, records.get(id)!.version + 1, undefined);
      if (found?.schema_name !== schema_name) return undefined;
      apply(id, found.version, found);
      return found;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
