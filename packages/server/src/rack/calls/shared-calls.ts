import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, type Logger, ToolError, type ToolResult } from "@toolrack/core";
import {
  type CallLog,
  type RunningCall as StoredRunningCall,
  StoreError,
  type Ticket,
  type Tickets,
  toStoredResult,
} from "@toolrack/store";
import type { RunningCalls } from "../rack.ts";
import type { LocalCalls } from "./local-calls.ts";

export interface WaitOptions {
  readonly tickets: Tickets;
  readonly local: Pick<LocalCalls, "get" | "list" | "endedLately">;
  readonly calls: CallLog;
  /** The name of this server. */
  ownName(): string;
  readonly log: Logger;
  /** A look at the store failed because the store is away: logged once for the whole outage, not at every look. */
  onStoreFailed(error: unknown): void;
  now(): number;
  /** Calls that wait for a person, on every server. */
  asking(): Promise<readonly { readonly callId: string; readonly caller: Caller }[]>;
}

export interface SharedCalls extends RunningCalls {
  /** Call it when a call of this server ended: it notifies other servers that wait for the call. */
  onEnd(callId: string): void;
  /** Call it when a call of another server ended with it. */
  onEndElsewhere(callId: string): void;
}

/**
 * Calls of every server on the store. Nothing is written for a call that nobody waits for: a server that waits for a call of another server
 * adds a ticket, the other server removes it when the call has ended, and whoever waits is told of that. A request to cancel is told the same
 * way.
 */
export function createSharedCalls({ tickets, local, calls, ownName, log, onStoreFailed, now, asking }: WaitOptions): SharedCalls {
  const onError = (error: unknown): void => {
    if (StoreError.is(error) && error.status === 503 && error.code !== "STORE_CLOSED") onStoreFailed(error);
    else log.error("Waiting calls could not be updated.", { error: String(error) });
  };
  const waiting = new Map<string, Set<() => void>>();
  /** Calls of this server that others wait for. */
  const awaited = new Set<string>();

  const ring = (callId: string): void => {
    for (const resolve of waiting.get(callId) ?? []) resolve();
  };
  const drop = (callId: string): void => void tickets.remove("wish", callId).catch(onError);

  tickets.follow("wish", {
    isWanted: (callId) => local.get(callId) !== undefined || local.endedLately(callId),
    onTicket({ name: callId, body }) {
      const here = local.get(callId);
      // It ended before the request arrived.
      if (here === undefined) return drop(callId);
      awaited.add(callId);
      const { cancel } = JSON.parse(body) as Wish;
      if (cancel !== undefined) here.cancel(cancel);
    },
    onError,
  });

  function onEnd(callId: string): void {
    ring(callId);
    if (awaited.delete(callId)) drop(callId);
  }

  async function wish(callId: string, wanted: Wish): Promise<void> {
    const ticket = toTicket(callId, wanted, now());
    for (;;) {
      if ((await tickets.add(ticket)) !== "taken" || wanted.cancel === undefined) return;
      const there = await tickets.get("wish", callId);
      if (there !== undefined && (await tickets.replace({ ...there, version: there.version + 1, body: ticket.body }))) return;
    }
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
    onEndElsewhere(callId) {
      ring(callId);
      drop(callId);
    },
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
      else await wish(callId, { cancel: reason });
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
      const bell = createBell();
      let stop: (() => void) | undefined;
      try {
        if (here !== undefined) return await Promise.race([here.result, late, left]);
        waiting.set(callId, (waiting.get(callId) ?? new Set()).add(bell.ring));
        const before = await ended(callId);
        if (before !== undefined) return before;
        await wish(callId, {});
        stop = tickets.watch("wish", callId, 1, bell.ring);
        for (;;) {
          // In this order: the ticket is removed after the end was recorded.
          const isOver = (await tickets.get("wish", callId)) === undefined;
          const found = await ended(callId);
          if (found !== undefined) return found;
          if (isOver) throw new ToolError("TOOL_FAILED", `The call "${callId}" ended, and is not in the log.`);
          await Promise.race([bell.rung(), late, left]);
        }
      } finally {
        stop?.();
        controller.abort();
        const others = waiting.get(callId);
        others?.delete(bell.ring);
        if (others?.size === 0) waiting.delete(callId);
      }
    },
  };
}

/** What a server wants of a call of another one: to be told of its end, and perhaps that it is cancelled, with the reason. */
interface Wish {
  readonly cancel?: string;
}

function toTicket(callId: string, wish: Wish, now: number): Ticket {
  const times = { createdAt: now, endsAt: now + keptMs };
  return { kind: "wish", name: callId, version: 1, group: "", holder: "", isOpen: true, ...times, body: JSON.stringify(wish) };
}

const keptMs = 3_600_000;

/** `rung` resolves if it rang since it resolved last. */
function createBell(): { ring(): void; rung(): Promise<void> } {
  let ring!: () => void;
  let bell: Promise<void>;
  const reset = (): void => {
    bell = new Promise((resolve) => (ring = resolve));
  };
  reset();
  return {
    ring: () => ring(),
    async rung() {
      await bell;
      reset();
    },
  };
}
