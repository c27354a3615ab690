import { StoreError } from "../errors.ts";
import { readSelector, type Selector } from "../query/selector.ts";
import type { Breadcrumb } from "../record/breadcrumb.ts";
import { insideOf } from "./create-store.ts";
import { readChanges } from "./feed.ts";
import type { BreadcrumbStore } from "./store.ts";

/** A view of some records that stays up to date by itself. */
export interface Follower {
  /** Undefined when everything that this process wrote is in; else a promise for that. */
  catchUp(): Promise<void> | undefined;
  close(): Promise<void>;
}

export interface FollowOptions {
  readonly selector: Selector;
  /** Told each record that is there at the beginning or changes later; `undefined` for one that is gone. */
  apply(id: string, record: Breadcrumb | undefined): void;
  /** Called after a change was applied, not for what is there at the beginning. */
  onChange?(): void;
}

/** Reads the records that a selector means, then follows their changes. Records that a write takes out of the selector are gone as well. */
export async function follow(store: BreadcrumbStore, { selector, apply, onChange }: FollowOptions): Promise<Follower> {
  const { lastWritten, engine, closed } = insideOf(store);
  const controller = new AbortController();
  const waiting = new Set<{ readonly sequence: number; readonly resolve: () => void }>();
  /** The version that was applied last. */
  const known = new Map<string, number>();
  const fits = readSelector(selector);
  let isOver = false;
  let applied = await store.sequence();

  /** Takes over what is there; answers whether anything differs from what was known. */
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
    // The whole feed, since a record that loses a tag has to be seen leaving.
    for await (const { type, record } of readChanges(
      engine,
      store.actor,
      { since: applied, signal: controller.signal },
      { closed, onSeen },
    )) {
      const before = known.get(record.id);
      // What was read at the beginning may be newer than the number that the reading began with.
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
  // Whoever waits is let go; what went wrong is told by `close`.
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
