import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, type Logger, ToolError, type ToolResult } from "@toolrack/core";
import { type CallLog, type RunningCall as StoredRunningCall, toStoredResult } from "@toolrack/store";
import type { RecordFeed } from "../store/records.ts";
import type { RunningCalls } from "../rack.ts";
import type { LocalCalls } from "./local-calls.ts";

export interface WaitOptions {
  readonly feed: RecordFeed;
  readonly local: Pick<LocalCalls, "get" | "list" | "endedLately">;
  readonly calls: CallLog;
  /** The name of this server. */
  ownName(): string;
  readonly log: Logger;
  /** Calls that wait for a person, on every server. */
  asking(): Promise<readonly { readonly callId: string; readonly caller: Caller }[]>;
}

export interface SharedCalls extends RunningCalls {
  /** Call it when a call ended, here or, after a crash, elsewhere: it notifies other servers that wait for the call. */
  onEnd(callId: string): void;
}

/**
 * Calls of every server on the store. Nothing is written for a call that nobody waits for: a server that waits for a call of another server
 * writes a record, the other server marks it when the call ended, and the mark arrives through the feed. A request to cancel works the same
 * way.
 */
export function createSharedCalls({ feed, local, calls, ownName, log, asking }: WaitOptions): SharedCalls {
  const onError = (error: unknown): void => log.error("Waiting calls could not be updated.", { error: String(error) });
  const wishes = feed.of("toolrack.call-wish.v1");
  const waiting = new Map<string, Set<() => void>>();

  const idOf = (callId: string): string => `call-wish-${callId}`;
  const ring = (callId: string): void => {
    for (const resolve of waiting.get(callId) ?? []) resolve();
  };

  wishes.subscribe((_id, record) => {
    if (record === undefined) return;
    const callId = String(record.context["callId"]);
    if (record.context["ended"] === true) return ring(callId);
    if (record.context["cancel"] !== undefined) local.get(callId)?.cancel(String(record.context["cancel"]));
    if (local.get(callId) === undefined && local.endedLately(callId)) onEnd(callId);
  });

  function onEnd(callId: string): void {
    ring(callId);
    const wish = wishes.get(idOf(callId));
    if (wish !== undefined && wish.context["ended"] !== true)
      wishes.write({ id: wish.id, context: { ...wish.context, ended: true }, ttl }).catch(onError);
  }

  async function wish(callId: string, cancel?: string): Promise<void> {
    const known = wishes.get(idOf(callId));
    if (known !== undefined && cancel === undefined) return;
    await wishes.write({ id: idOf(callId), context: { callId, ...(cancel !== undefined && { cancel }) }, ttl });
  }

  async function ended(callId: string): Promise<ToolResult | undefined> {
    const stored = await calls.show(callId);
    return stored === undefined ? undefined : toStoredResult(stored);
  }

  /** Calls of the other servers. For this one its own list counts: a record stays while the store does not accept the end of its call. */
  async function elsewhere(): Promise<readonly Omit<StoredRunningCall, "input">[]> {
    return (await calls.running()).filter((call) => call.server !== ownName());
  }

  return {
    get: (callId) => local.get(callId),
    list: () => local.list(),
    async listAll() {
      const others = await elsewhere();
      const known = new Set(local.list().map(({ callId }) => callId));
      const made = calls.open().filter(({ callId }) => !known.has(callId)); // by tools
      return [...local.list(), ...made, ...others].map(({ callId, tool, caller, startedAt }) => ({ callId, tool, caller, startedAt }));
    },
    onEnd,
    async find(callId) {
      const here = local.get(callId);
      if (here !== undefined) return { caller: here.caller, isRunning: true };
      const stored = await calls.show(callId);
      if (stored !== undefined) return { caller: stored.caller, isRunning: false };
      const found = [...calls.open(), ...(await asking()), ...(await elsewhere())].find((call) => call.callId === callId);
      return found && { caller: found.caller, isRunning: true };
    },
    async cancel(callId, reason = "") {
      const here = local.get(callId);
      if (here !== undefined) here.cancel(reason);
      else await wish(callId, reason);
    },
    async waitFor(callId, { timeoutMs = 30_000, signal } = {}) {
      const here = local.get(callId);
      const controller = new AbortController();
      const late = sleep(timeoutMs, undefined, { signal: controller.signal }).then(() => {
        throw new ToolError("TIMEOUT", `The call "${callId}" did not end within ${timeoutMs} ms. Wait again, or cancel it.`);
      });
      const left = new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true, signal: controller.signal });
        if (signal?.aborted === true) reject(signal.reason);
      });
      late.catch(() => undefined);
      left.catch(() => undefined);
      let resolve!: () => void;
      const rung = new Promise<void>((done) => (resolve = done));
      try {
        if (here !== undefined) return await Promise.race([here.result, late, left]);
        waiting.set(callId, (waiting.get(callId) ?? new Set()).add(resolve));
        const before = await ended(callId);
        if (before !== undefined) return before;
        await wish(callId);
        // It may have ended before the request arrived.
        const meanwhile = await ended(callId);
        if (meanwhile !== undefined) return meanwhile;
        await Promise.race([rung, late, left]);
        const after = await ended(callId);
        if (after !== undefined) return after;
        throw new ToolError("TOOL_FAILED", `The call "${callId}" ended, and is not in the log.`);
      } finally {
        controller.abort();
        const others = waiting.get(callId);
        others?.delete(resolve);
        if (others?.size === 0) waiting.delete(callId);
      }
    },
  };
}

const ttl = { afterMs: 3_600_000 };
