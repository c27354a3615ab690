import { setTimeout as sleep } from "node:timers/promises";
import type { Registry, ToolEvent } from "@toolrack/core";
import { type CallLog, StoreError, type StoredCall } from "@toolrack/store";

/**
 * Recorded calls in the order of their numbers, those of other servers on the same store included.
 * Contract: from any number on, every call comes once and none is left out.
 */
export interface CallFeed {
  /** The number of the newest recorded call; 0 before the first. */
  last(): Promise<number>;
  /** Every call after `since`, as it is recorded, until the signal. */
  after(since: number, signal: AbortSignal): AsyncIterable<StoredCall>;
  close(): void;
}

export interface CallFeedOptions {
  readonly calls: Pick<CallLog, "list">;
  /** Tells of the calls of this server at once. */
  readonly registry: Registry;
  /** How often the log is asked for calls of other servers, while somebody listens. @default 250 */
  readonly lookEveryMs?: number;
}

export function createCallFeed({ calls, registry, lookEveryMs = 250 }: CallFeedOptions): CallFeed {
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let listeners = 0;
  /** All who listen share one look at the log. */
  let looking: Promise<number> | undefined;
  let newest = 0;

  /** Whoever looks wakes all who wait for what was found. */
  async function look(): Promise<number> {
    try {
      const found = (await calls.list({ limit: 1 }))[0]?.number ?? 0;
      if (found > newest) {
        newest = found;
        for (const ring of waiting) ring();
      }
      return newest;
    } finally {
      looking = undefined;
    }
  }

  const lookAgain = (): Promise<number> => (looking ??= look());
  const wake = (): void => void lookAgain().catch(() => undefined);

  function onEvent({ type }: ToolEvent): void {
    // The record is written before or shortly after this event; the next look finds it in any case.
    if (type === "call-end" && waiting.size > 0) wake();
  }

  function enter(): void {
    if (++listeners > 1) return;
    registry.subscribe(onEvent);
    timer = setInterval(wake, lookEveryMs).unref();
  }

  function leave(): void {
    if (--listeners > 0) return;
    registry.unsubscribe(onEvent);
    clearInterval(timer);
  }

  return {
    last: lookAgain,
    async *after(since, signal) {
      enter();
      let ring = (): void => {};
      const onAbort = (): void => ring();
      signal.addEventListener("abort", onAbort);
      try {
        for (let seen = since; !signal.aborted;) {
          const end = await untilThere(lookAgain, signal);
          while (seen < end && !signal.aborted) {
            // Numbers have no gaps, so the page up to this one begins right after the last one seen.
            const upTo = Math.min(end, seen + pageSize);
            const page = await untilThere(() => calls.list({ before: upTo + 1, limit: pageSize }), signal);
            for (const call of page.toReversed()) if (call.number > seen && !signal.aborted) yield call;
            seen = upTo;
          }
          if (signal.aborted || newest > seen) continue;
          await new Promise<void>((resolve) => {
            ring = () => {
              waiting.delete(ring);
              resolve();
            };
            waiting.add(ring);
          });
        }
      } finally {
        signal.removeEventListener("abort", onAbort);
        leave();
      }
    },
    close: () => waiting.forEach((ring) => ring()),
  };
}

const pageSize = 500;

/** A database that is away for a while does not end the feed: it is asked until it answers. */
async function untilThere<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !StoreError.is(error) || !error.retryable) throw error;
      await sleep(250);
    }
  }
}
