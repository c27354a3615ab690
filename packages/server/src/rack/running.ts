import { randomBytes } from "node:crypto";
import type { Caller, InvokeOptions, Progress, ToolResult } from "@toolrack/core";
import type { RunningCall } from "./rack.ts";

/** The calls that are on their way in this process, whatever surface they came by. */
export interface CallDesk {
  /** Starts a call and keeps it until it ended. */
  start(tool: string, input: unknown, options: InvokeOptions): RunningCall;
  get(callId: string): RunningCall | undefined;
  list(): readonly RunningCall[];
  /** Whether a call ended here within the last minute. */
  endedLately(callId: string): boolean;
  /** Waits for the calls to end; after `graceMs` they are cancelled, and waited for once more. */
  drain(graceMs: number): Promise<void>;
}

export type Invoke = (tool: string, input: unknown, options: InvokeOptions & { readonly callId: string }) => Promise<ToolResult>;

export function createCallDesk(invoke: Invoke, onEnd: (callId: string) => void): CallDesk {
  const running = new Map<string, RunningCall>();
  const ended = new Map<string, number>();

  function noteEnd(call: RunningCall): void {
    const { callId } = call;
    // Whoever names calls may give two of them one name; the other one still runs.
    if (running.get(callId) === call) running.delete(callId);
    const now = Date.now();
    ended.set(callId, now);
    for (const [id, at] of ended) {
      if (ended.size <= maxEnded && at > now - keepEndedMs) break;
      ended.delete(id);
    }
    onEnd(callId);
  }

  return {
    start(tool, input, options) {
      const callId = options.callId ?? newCallId();
      const call = createRunningCall(
        tool,
        options.caller ?? {},
        callId,
        (signal, onProgress) => invoke(tool, input, { ...options, callId, signal, onProgress: both(options.onProgress, onProgress) }),
        options.signal,
      );
      running.set(callId, call);
      void call.result.then(() => noteEnd(call));
      return call;
    },
    get: (callId) => running.get(callId),
    list: () => [...running.values()],
    endedLately: (callId) => (ended.get(callId) ?? 0) > Date.now() - keepEndedMs,
    async drain(graceMs) {
      const all = (): Promise<unknown> => Promise.all([...running.values()].map(({ result }) => result));
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)));
      await Promise.race([all(), grace]);
      clearTimeout(timer);
      for (const call of running.values()) call.cancel("The server is closing.");
      await all();
    },
  };
}

const keepEndedMs = 60_000;
const maxEnded = 10_000;

const idBytes = 18;
let pool = Buffer.alloc(0);
let taken = 0;

/** 144 random bits: whoever does not know a call cannot name it. Taken from a pool, because asking the system costs more than the rest. */
export function newCallId(): string {
  if (taken + idBytes > pool.length) {
    pool = randomBytes(idBytes * 256);
    taken = 0;
  }
  taken += idBytes;
  return pool.toString("base64url", taken - idBytes, taken);
}

/**
 * Controllers of calls that were never cancelled, for the next ones: making one costs more than a call. Handlers never see their
 * signals, only those that each call makes for itself.
 */
const spare: AbortController[] = [];
const maxSpare = 256;

function both(first: InvokeOptions["onProgress"], second: (update: Progress) => void): (update: Progress) => void {
  if (first === undefined) return second;
  return (update) => {
    first(update);
    second(update);
  };
}

/** Progress beyond this is forgotten from the front: whoever comes late gets what was told last. */
const maxProgress = 200;

function createRunningCall(
  tool: string,
  caller: Caller,
  callId: string,
  run: (signal: AbortSignal, onProgress: (update: Progress) => void) => Promise<ToolResult>,
  parent: AbortSignal | undefined,
): RunningCall {
  const controller = spare.pop() ?? new AbortController();
  const forward = (): void => controller.abort(parent?.reason);
  if (parent?.aborted === true) forward();
  parent?.addEventListener("abort", forward, { once: true });
  /** Updates by number; `first` is the number of the oldest that is kept. */
  let updates: Progress[] = [];
  let first = 0;
  let isOver = false;
  let wake: (() => void)[] = [];
  const wakeAll = (): void => {
    if (wake.length === 0) return;
    const waiting = wake;
    wake = [];
    for (const resolve of waiting) resolve();
  };
  const result = run(controller.signal, (update) => {
    updates.push(update);
    if (updates.length > maxProgress) {
      first += updates.length - maxProgress;
      updates = updates.slice(-maxProgress);
    }
    wakeAll();
  }).finally(() => {
    parent?.removeEventListener("abort", forward);
    isOver = true;
    if (!controller.signal.aborted && spare.length < maxSpare) spare.push(controller);
    wakeAll();
  });

  return {
    callId,
    tool,
    caller,
    startedAt: Date.now(),
    result,
    cancel(reason = "The call was cancelled.") {
      if (!isOver) controller.abort(new DOMException(reason, "AbortError"));
    },
    async *progress({ signal } = {}) {
      let next = first;
      signal?.addEventListener("abort", wakeAll, { once: true });
      try {
        while (signal?.aborted !== true) {
          next = Math.max(next, first);
          if (next - first < updates.length) yield updates[next++ - first]!;
          else if (isOver) return;
          else await new Promise<void>((resolve) => wake.push(resolve));
        }
      } finally {
        signal?.removeEventListener("abort", wakeAll);
      }
    },
  };
}
