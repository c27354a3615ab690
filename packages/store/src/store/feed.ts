import { setTimeout as sleep } from "node:timers/promises";
import { type Actor, requireRole, mayRead } from "../access.ts";
import type { Change, Engine } from "../engine/engine.ts";
import { StoreError } from "../errors.ts";
import { readSelector } from "../query/selector.ts";
import type { SharedChanges } from "./shared-changes.ts";
import type { ChangesOptions } from "./store.ts";

export interface FeedParts {
  /** Reads for all feeds of the store together. */
  readonly shared: SharedChanges;
  /** Aborts when the store is closed, which ends every feed. */
  readonly closed: AbortSignal;
  /** Called with the number of every processed change, also of those that do not match. */
  readonly onSeen?: (sequence: number) => void;
}

/** Validates the options at once, then yields every change that the actor may see and the selector matches, in order, until the signal. */
export function readChanges(
  engine: Engine,
  actor: Actor,
  options: ChangesOptions,
  { shared, closed, onSeen }: FeedParts,
): AsyncIterable<Change> {
  requireRole(actor, "subscriber", "follow the changes");
  const selector = readSelector(options.selector);
  const { since, signal, onSeen: tell } = options;
  if (since !== undefined && (!Number.isSafeInteger(since) || since < 0)) {
    throw new StoreError("QUERY_INVALID", "since must be the number of the last change that you have seen, or 0 for all of them.");
  }
  const ends = [closed, ...(signal === undefined ? [] : [signal])];
  const isOver = (): boolean => ends.some(({ aborted }) => aborted);
  return {
    async *[Symbol.asyncIterator]() {
      const last = await engine.lastSequence();
      if (since !== undefined && since > last) {
        throw new StoreError(
          "QUERY_INVALID",
          `since is ${since}, and the newest change is ${last}: the number is from another store. Start from 0.`,
        );
      }
      if (since !== undefined && since < (await engine.changesBegin())) throw await gone(engine, since);
      let seen = since ?? last;
      let size = firstPage;
      const alarm = createAlarm(engine, ends);
      const leave = shared.enter();
      try {
        while (!isOver()) {
          alarm.reset();
          const page = await readPage(shared, seen, size, isOver);
          for (const change of page) {
            if (isOver()) return;
            // Numbers have no gaps: a missing one was removed by retention.
            if (change.sequence !== seen + 1) throw await gone(engine, seen);
            seen = change.sequence;
            if (mayRead(actor, change.record) && selector.meets(change.record)) yield change;
            onSeen?.(seen);
            tell?.(seen);
          }
          // A page may be short without being the last one.
          if (page.length === 0) await alarm.rung();
          else if (page.length === size) size = largestPage;
        }
      } finally {
        leave();
        alarm.close();
      }
    },
  };
}

async function gone(engine: Engine, since: number): Promise<StoreError> {
  const begin = await engine.changesBegin();
  return new StoreError(
    "CHANGES_GONE",
    `Changes after ${since} were removed by retention: the oldest that can be followed from is ${begin}. Read the records anew, then follow from the number of the newest change.`,
  );
}

/** Small for readers that are up to date, large for those that catch up. */
const firstPage = 100;
const largestPage = 500;

/** An outage of the database does not end the feed: it retries, and misses nothing. */
async function readPage(shared: SharedChanges, seen: number, size: number, isOver: () => boolean): Promise<readonly Change[]> {
  for (let waitMs = 20; ; waitMs = Math.min(500, waitMs * 2)) {
    if (isOver()) return [];
    try {
      return await shared.after(seen, size);
    } catch (error) {
      if (isOver()) return [];
      if (!StoreError.is(error) || !error.retryable) throw error;
    }
    await sleep(waitMs);
  }
}

/** Resolves when the engine wakes or a signal aborts. Call `reset` before reading, so that nothing between reading and waiting is missed. */
function createAlarm(engine: Engine, ends: readonly AbortSignal[]): { reset(): void; rung(): Promise<void>; close(): void } {
  let ring: () => void;
  let bell: Promise<void>;
  const reset = (): void => {
    bell = new Promise((resolve) => (ring = resolve));
  };
  reset();
  const onRing = (): void => ring();
  const stop = engine.onWake(onRing);
  for (const end of ends) end.addEventListener("abort", onRing);
  return {
    reset,
    rung: () => bell,
    close() {
      stop();
      for (const end of ends) end.removeEventListener("abort", onRing);
    },
  };
}
