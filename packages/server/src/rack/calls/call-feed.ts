import { setTimeout as sleep } from "node:timers/promises";
import type { Registry, ToolEvent } from "@toolrack/core";
import { type CallLog, StoreError, type StoredCall } from "@toolrack/store";
import { isForUser, type ShownResult, toShownResult } from "./user-channel.ts";

/** A recorded call, without input and output. */
export type FedCall = Omit<StoredCall, "input" | "output" | "blocks" | "error">;

/**
 * Recorded calls of all servers on the same store, in the order of their numbers.
 * Contract: after any number, every call is delivered exactly once.
 */
export interface CallFeed {
  /** The number of the newest recorded call; 0 before the first. */
  last(): Promise<number>;
  /** Every call after `since`, as it is recorded, until the signal. */
  after(since: number, signal: AbortSignal): AsyncIterable<FedCall>;
  /** The result of a call, if it is for the user and still in the log. */
  forUser(call: FedCall, signal: AbortSignal): Promise<ShownResult | undefined>;
  close(): void;
}

export interface CallFeedOptions {
  readonly calls: Pick<CallLog, "list" | "show">;
  /** Reports the calls of this server at once. */
  readonly registry: Registry;
  /** How often the log is asked for calls of other servers, while somebody listens. @default 250 */
  readonly lookEveryMs?: number;
}

export function createCallFeed({ calls, registry, lookEveryMs = 250 }: CallFeedOptions): CallFeed {
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let listeners = 0;
  let newest = 0;
  /** The newest calls, oldest first: every call after `completeAfter`. Readers that keep up need no query of their own. */
  let recent: readonly FedCall[] = [];
  let completeAfter = Number.POSITIVE_INFINITY;
  /** All listeners share one query of the log, and a slow log is queried less often. */
  let looking: Promise<number> | undefined;
  let restUntil = 0;

  async function look(): Promise<number> {
    const startedAt = performance.now();
    try {
      take((await calls.list({ limit: recentSize })).toReversed());
      return newest;
    } finally {
      const now = performance.now();
      restUntil = now + (now - startedAt) * 10;
      looking = undefined;
    }
  }

  function take(page: readonly StoredCall[]): void {
    const found = page.at(-1)?.number ?? 0;
    if (found <= newest) return;
    recent = page.map(withoutBody);
    completeAfter = page.length < recentSize ? 0 : recent[0]!.number - 1;
    newest = found;
    // The query wakes everybody who waits for its results.
    for (const ring of waiting) ring();
  }

  const isResting = (): boolean => looking === undefined && performance.now() < restUntil;
  const lookAgain = (): Promise<number> => (isResting() ? Promise.resolve(newest) : (looking ??= look()));
  const wake = (): void => void lookAgain().catch(() => undefined);

  function onEvent({ type }: ToolEvent): void {
    // The record is written before or shortly after this event; the next query finds it in any case.
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

  /** The calls after `seen`, and how far they reach. */
  async function readAfter(seen: number, signal: AbortSignal): Promise<{ readonly found: readonly FedCall[]; readonly upTo: number }> {
    if (seen >= completeAfter) return { found: recent.filter(({ number }) => number > seen), upTo: Math.max(seen, newest) };
    // Numbers have no gaps, so the page up to this one starts right after the last one seen.
    const upTo = Math.min(newest, seen + pageSize);
    const page = await untilThere(() => calls.list({ before: upTo + 1, limit: pageSize }), signal);
    return { found: page.toReversed().filter(({ number }) => number > seen), upTo };
  }

  return {
    last: lookAgain,
    async *after(since, signal) {
      enter();
      let ring = (): void => {};
      const onAbort = (): void => ring();
      signal.addEventListener("abort", onAbort);
      try {
        await untilThere(lookAgain, signal);
        for (let seen = since; !signal.aborted;) {
          if (seen < newest) {
            const { found, upTo } = await readAfter(seen, signal);
            for (const call of found) if (!signal.aborted) yield call;
            seen = upTo;
            continue;
          }
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
    async forUser(call, signal) {
      if (!call.ok || !isForUser(call)) return undefined;
      // Read when it is needed: results may be large, and most calls have none for the user.
      const stored = await untilThere(() => calls.show(call.callId), signal);
      return stored === undefined ? undefined : toShownResult(stored);
    },
    close: () => waiting.forEach((ring) => ring()),
  };
}

const pageSize = 500;
const recentSize = 200;

function withoutBody(call: StoredCall): FedCall {
  const { input: _, output: __, blocks: ___, error: ____, ...rest } = call;
  return rest;
}

/** An outage of the database does not end the feed: it retries until the database answers. */
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
