import type { Registry, ToolEvent } from "@toolrack/core";
import type { CallLog, StoredCall } from "@toolrack/store";

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

  async function look(): Promise<number> {
    try {
      return (newest = (await calls.list({ limit: 1 }))[0]?.number ?? 0);
    } finally {
      looking = undefined;
    }
  }

  async function wake(): Promise<void> {
    const before = newest;
    const found = await (looking ??= look()).catch(() => before);
    if (found !== before) for (const ring of waiting) ring();
  }

  function onEvent({ type }: ToolEvent): void {
    // The record is written before or shortly after this event; the next look finds it in any case.
    if (type === "call-end" && waiting.size > 0) void wake();
  }

  function enter(): void {
    if (++listeners > 1) return;
    registry.subscribe(onEvent);
    timer = setInterval(() => void wake(), lookEveryMs).unref();
  }

  function leave(): void {
    if (--listeners > 0) return;
    registry.unsubscribe(onEvent);
    clearInterval(timer);
  }

  return {
    last: () => (looking ??= look()),
    async *after(since, signal) {
      enter();
      let ring = (): void => {};
      const onAbort = (): void => ring();
      signal.addEventListener("abort", onAbort);
      try {
        for (let seen = since; !signal.aborted;) {
          const end = await (looking ??= look());
          while (seen < end && !signal.aborted) {
            // Numbers have no gaps, so the page up to this one begins right after the last one seen.
            const upTo = Math.min(end, seen + pageSize);
            const page = await calls.list({ before: upTo + 1, limit: pageSize });
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
