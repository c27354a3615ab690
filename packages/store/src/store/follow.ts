import { StoreError } from "../errors.ts";
import { readSelector, type Selector } from "../query/selector.ts";
import type { Breadcrumb } from "../record/breadcrumb.ts";
import { insideOf } from "./create-store.ts";
import { readChanges } from "./feed.ts";
import type { BreadcrumbStore } from "./store.ts";

/** A view of some records that is kept up to date. */
export interface Follower {
  /** Undefined if everything that this process wrote is included; otherwise a promise for that. */
  catchUp(): Promise<void> | undefined;
  close(): Promise<void>;
}

export interface FollowOptions {
  readonly selector: Selector;
  /** Called for each record at the beginning and on each change; `undefined` for a removal. */
  apply(id: string, record: Breadcrumb | undefined): void;
  /** Called after a change was applied, but not for the initial records. */
  onChange?(): void;
}

/** Reads the records that match a selector, then follows their changes. A record that no longer matches counts as removed. */
export async function follow(store: BreadcrumbStore, { selector, apply, onChange }: FollowOptions): Promise<Follower> {
  const { lastWritten, engine, shared, closed } = insideOf(store);
  const controller = new AbortController();
  const waiting = new Set<{ readonly sequence: number; readonly resolve: () => void }>();
  /** The version that was applied last. */
  const known = new Map<string, number>();
  const fits = readSelector(selector);
  let isOver = false;
  let applied = await store.sequence();

  /** Takes over the current records; returns whether anything differs. */
  async function readAll(): Promise<boolean> {
    const missing = new Set(known.keys());
    let hasChanged = false;
    for (const { context, ...record } of await store.searchBreadcrumbs({ ...selector, includeContext: true })) {
      if (context === undefined) continue;
      missing.delete(record.id);
      if (known.get(record.id) === record.version) continue;
      known.set(record.id, record.version);
      apply(record.id, { ...record, context });
      hasChanged = true;
    }
    for (const id of missing) {
      known.delete(id);
      apply(id, undefined);
    }
    return hasChanged || missing.size > 0;
  }

  await readAll();

  function onSeen(sequence: number): void {
    applied = sequence;
    for (const one of waiting) {
      if (one.sequence > applied) continue;
      waiting.delete(one);
      one.resolve();
    }
  }

  async function applyChanges(): Promise<void> {
    // The whole feed, because a record that loses a tag must be noticed.
    for await (const { type, record } of readChanges(
      engine,
      store.actor,
      { since: applied, signal: controller.signal },
      { shared, closed, onSeen },
    )) {
      const before = known.get(record.id);
      // The initial records may be newer than the number at which the feed begins.
      if (before !== undefined && before >= record.version) continue;
      const isThere = type !== "deleted" && type !== "expired" && fits.meets(record);
      if (isThere) known.set(record.id, record.version);
      else known.delete(record.id);
      if (!isThere && before === undefined) continue;
      apply(record.id, isThere ? record : undefined);
      onChange?.();
    }
  }

  const running = (async () => {
    for (;;) {
      try {
        return await applyChanges();
      } catch (error) {
        if (!StoreError.is(error) || error.code !== "CHANGES_GONE") throw error;
        const sequence = await store.sequence();
        if (await readAll()) onChange?.();
        onSeen(sequence);
      }
    }
  })().finally(() => {
    isOver = true;
    for (const { resolve } of waiting) resolve();
  });
  // Waiting callers continue; `close` reports the error.
  running.catch(() => undefined);

  return {
    catchUp() {
      const sequence = lastWritten();
      if (applied >= sequence || isOver) return undefined;
      return new Promise((resolve) => waiting.add({ sequence, resolve }));
    },
    async close() {
      controller.abort();
      await running;
    },
  };
}
