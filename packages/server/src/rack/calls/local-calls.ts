import { type Caller, type InvokeOptions, ToolError, type ToolResult } from "@toolrack/core";
import { newCallId } from "./call-id.ts";
import type { WaitingNotice } from "../approvals/approval.ts";
import type { CallProgress, RunningCall } from "../rack.ts";
import { shutDown } from "./shut-down.ts";
import { SlotList } from "../util/slot-list.ts";

/** The running calls of this process, from every surface. */
export interface LocalCalls {
  /** Starts a call, and lists it until it ends. */
  start(tool: string, input: unknown, options: InvokeOptions): RunningCall;
  get(callId: string): RunningCall | undefined;
  list(): readonly RunningCall[];
  /** Tells whoever follows one of these calls that it has begun to wait for a person. */
  tellWaiting(callIds: readonly string[], notice: WaitingNotice): void;
  /** Whether a call ended here within the last minute. */
  endedLately(callId: string): boolean;
  /** Waits for the calls to end; after `graceMs`, and after `beforeCancel`, they are cancelled, and waited for once more. */
  drain(graceMs: number, beforeCancel?: () => Promise<void>): Promise<void>;
}

/** Never rejects, as `registry.invoke` does not. */
export type Invoke = (tool: string, input: unknown, options: InvokeOptions & { readonly callId: string }) => Promise<ToolResult>;

export function createLocalCalls(invoke: Invoke, onEnd: (callId: string) => void): LocalCalls {
  const running = new SlotList<StartedCall>();
  const ended = new EndedCalls();

  return {
    start(tool, input, options) {
      const call = new StartedCall(tool, input, options, invoke, () => {
        running.remove(call, slot);
        ended.add(call.callId);
        onEnd(call.callId);
      });
      const slot = running.add(call);
      return call;
    },
    get: (callId) => [...running].findLast((call) => call.callId === callId),
    list: () => [...running],
    tellWaiting(callIds, notice) {
      for (const call of running) if (callIds.includes(call.callId)) call.tellWaiting(notice);
    },
    endedLately: (callId) => ended.has(callId),
    async drain(graceMs, beforeCancel) {
      const all = (): Promise<unknown> => Promise.all([...running].map(({ result }) => result));
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)));
      await Promise.race([all(), grace]);
      clearTimeout(timer);
      // A store that is away keeps no server from closing.
      if ([...running].length > 0) await beforeCancel?.().catch(() => undefined);
      for (const call of running) call.cancel(shutDown());
      await all();
    },
  };
}

/** The calls that ended last: written for every call and rarely read, so a ring buffer, which needs no removal. */
class EndedCalls {
  readonly #ids: (string | undefined)[] = Array.from({ length: maxEnded }, () => undefined);
  readonly #times = new Float64Array(maxEnded);
  #next = 0;

  add(callId: string): void {
    this.#ids[this.#next] = callId;
    this.#times[this.#next] = performance.now();
    this.#next = (this.#next + 1) % maxEnded;
  }

  has(callId: string): boolean {
    const since = performance.now() - keepEndedMs;
    return this.#ids.some((id, slot) => id === callId && this.#times[slot]! > since);
  }
}

const keepEndedMs = 60_000;
const maxEnded = 10_000;

/**
 * Controllers of calls that were never cancelled, for reuse: creating one costs more than a call. Handlers never see these signals, only
 * those that each call creates.
 */
const spare: AbortController[] = [];
const maxSpare = 256;

/** Older progress beyond this number is dropped: a late listener gets the newest updates. */
const maxProgress = 200;

class StartedCall implements RunningCall {
  readonly callId: string;
  readonly tool: string;
  readonly caller: Caller;
  readonly startedAt: number = Date.now();
  readonly result: Promise<ToolResult>;
  readonly #controller: AbortController = spare.pop() ?? new AbortController();
  /** Cancels this call as well. */
  readonly #parent: AbortSignal | undefined;
  readonly #forward: (() => void) | undefined;
  readonly #onProgress: InvokeOptions["onProgress"];
  /** Updates by number; `first` is the number of the oldest that is kept. */
  #updates: CallProgress[] = [];
  #first = 0;
  #isOver = false;
  #waiting: (() => void)[] | undefined;

  constructor(tool: string, input: unknown, options: InvokeOptions, invoke: Invoke, onEnd: () => void) {
    const { callId = newCallId(), caller = {}, signal, onProgress } = options;
    this.#onProgress = onProgress;
    this.callId = callId;
    this.tool = tool;
    this.caller = caller;
    if (signal !== undefined) {
      this.#parent = signal;
      this.#forward = () => this.#controller.abort(signal.reason);
      if (signal.aborted) this.#forward();
      signal.addEventListener("abort", this.#forward, { once: true });
    }
    // Always the same fields in the same order, so that the engine optimises every access.
    const { timeoutMs, parent, idempotencyKey, deliver, approval, labels, trace } = options;
    this.result = invoke(tool, input, {
      caller,
      signal: this.#controller.signal,
      timeoutMs,
      callId,
      parent,
      idempotencyKey,
      onProgress: (update) => {
        onProgress?.(update);
        this.#tell(update);
      },
      deliver,
      approval,
      labels,
      trace,
    }).then((result) => {
      this.#end();
      onEnd();
      return result;
    });
  }

  tellWaiting(notice: WaitingNotice): void {
    const message = `Waiting for a person's approval: ${notice.message}`;
    this.#onProgress?.({ message });
    this.#tell({ message, waiting: notice });
  }

  cancel(reason: string | Error = ""): void {
    if (this.#isOver) return;
    const text = typeof reason === "string" ? reason : reason.message;
    if (ToolError.is(reason)) this.#controller.abort(reason);
    else this.#controller.abort(text === "" ? undefined : new DOMException(text, "AbortError"));
  }

  async *progress({ signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<CallProgress> {
    let next = this.#first;
    const wake = (): void => this.#wake();
    signal?.addEventListener("abort", wake, { once: true });
    try {
      while (signal?.aborted !== true) {
        next = Math.max(next, this.#first);
        if (next - this.#first < this.#updates.length) yield this.#updates[next++ - this.#first]!;
        else if (this.#isOver) return;
        else await new Promise<void>((resolve) => (this.#waiting ??= []).push(resolve));
      }
    } finally {
      signal?.removeEventListener("abort", wake);
    }
  }

  #tell(update: CallProgress): void {
    this.#updates.push(update);
    if (this.#updates.length > maxProgress) {
      this.#updates.shift();
      this.#first += 1;
    }
    this.#wake();
  }

  #end(): void {
    this.#isOver = true;
    if (this.#forward !== undefined) this.#parent!.removeEventListener("abort", this.#forward);
    if (!this.#controller.signal.aborted && spare.length < maxSpare) spare.push(this.#controller);
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    for (const resolve of waiting) resolve();
  }
}
