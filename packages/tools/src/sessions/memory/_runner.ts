import { randomUUID } from "node:crypto";
import type { Clock } from "@toolrack/core/node";
import type { ChildRun, SendOutcome, SessionOrigin } from "../host.ts";
import { append, type InboxItem, type MemorySession, type Spawned, toSummary } from "./_session.ts";
import type { RunEnd, RunSession, SessionRun } from "./run-session.ts";

/** Lets sessions answer what is sent to them, each one run at a time. */
export interface SessionRunner {
  /** Puts a message into the inbox of a session, and wakes it. The outcome is that of the run that takes the message. */
  send(session: MemorySession, content: string, from: SessionOrigin): { readonly runId: string; readonly outcome: Promise<SendOutcome> };
  /** Ends a session: its run is aborted, and what waits in its inbox is answered with the reason. */
  end(session: MemorySession, status: ChildRun["status"], error: string): void;
}

export interface RunnerOptions {
  readonly run: RunSession;
  readonly clock: Clock;
  /** A spawned session has ended; its messages are not to be kept. */
  forget(session: MemorySession): void;
}

export function createSessionRunner({ run, clock, forget }: RunnerOptions): SessionRunner {
  function send(session: MemorySession, content: string, from: SessionOrigin): ReturnType<SessionRunner["send"]> {
    const runId = randomUUID();
    const { promise, resolve } = promiseOf<SendOutcome>();
    session.inbox.push({ message: { role: "user", content, from }, runId, settle: resolve });
    session.updatedAt = clock.now();
    wake(session);
    return { runId, outcome: promise };
  }

  function wake(session: MemorySession): void {
    if (session.abort !== undefined || session.status === "ended" || session.inbox.length === 0) return;
    void answer(session, (session.abort = new AbortController()));
  }

  async function answer(session: MemorySession, abort: AbortController): Promise<void> {
    const taken: InboxItem[] = [];
    let isDone = false;
    const isOver = (): boolean => isDone || abort.signal.aborted;
    const take = (): readonly InboxItem[] => {
      const items = isOver() ? [] : session.inbox.splice(0);
      for (const { message } of items) append(session, message, clock.now());
      taken.push(...items);
      return items;
    };
    session.status = "running";
    take();
    const parts: SessionRun = {
      session: toSummary(session),
      caller: session.model === undefined ? session.caller : Object.freeze({ ...session.caller, model: session.model }),
      ...(session.spawned?.thinking !== undefined && { thinking: session.spawned.thinking }),
      messages: () => [...session.messages],
      append: (message) => void (isOver() || append(session, message, clock.now())),
      takeInbox: () => take().map(({ message }) => message),
      signal: abort.signal,
    };
    const { spawned } = session;
    const cancelTimer = spawned === undefined ? undefined : limitTime(session, spawned);
    const outcome = await outcomeOf(parts);
    cancelTimer?.();
    isDone = true;
    // Whoever aborted it has ended the session.
    const told = abort.signal.aborted ? ({ status: "error", error: String(abort.signal.reason) } as const) : outcome;
    if (!abort.signal.aborted) finish(session, outcome);
    for (const { settle, runId } of taken) settle({ ...("end" in told ? { status: "ok", reply: told.end.text } : told), runId });
    wake(session);
  }

  /** The time counts from the spawn on, for all runs together; afterwards there is no limit. */
  function limitTime(session: MemorySession, { runTimeoutMs, startedAt, status }: Spawned): (() => void) | undefined {
    if (runTimeoutMs === 0 || status !== "running") return undefined;
    const left = Math.max(0, startedAt + runTimeoutMs - clock.now());
    return clock.after(left, () => end(session, "timeout", `It took longer than ${runTimeoutMs / 1_000} s.`));
  }

  async function outcomeOf(parts: SessionRun): Promise<Answered> {
    const { promise: aborted, resolve } = promiseOf<Answered>();
    const stop = (): void => resolve({ status: "error", error: String(parts.signal.reason) });
    parts.signal.addEventListener("abort", stop, { once: true });
    const answered = Promise.resolve()
      .then(() => run(parts))
      .then(
        (end): Answered => ({ end: typeof end === "string" ? { text: end } : end }),
        (error: unknown): Answered => ({ status: "error", error: error instanceof Error ? error.message : String(error) }),
      );
    try {
      // A run that does not listen to its signal goes on alone: nothing that it does is kept.
      return await Promise.race([answered, aborted]);
    } finally {
      parts.signal.removeEventListener("abort", stop);
    }
  }

  function finish(session: MemorySession, outcome: Answered): void {
    session.abort = undefined;
    session.status = "idle";
    session.updatedAt = clock.now();
    if ("end" in outcome) {
      const { text, usage } = outcome.end;
      append(session, { role: "assistant", content: text }, clock.now());
      session.usage.inputTokens += usage?.inputTokens ?? 0;
      session.usage.outputTokens += usage?.outputTokens ?? 0;
      if (usage?.costUsd !== undefined) session.usage.costUsd = (session.usage.costUsd ?? 0) + usage.costUsd;
    }
    // What came too late for this run is read by the next, before the parent is told a result.
    if (session.spawned?.status !== "running" || session.inbox.length > 0) return;
    const text = "end" in outcome ? outcome.end.text : outcome.error;
    tellParent(session, "end" in outcome ? "done" : "failed", text);
    if (session.spawned.mode === "run") close(session, "The session has ended.");
  }

  /** The end of a spawned run, on record before anybody acts on it. */
  function tellParent(session: MemorySession, status: ChildRun["status"], text: string): void {
    const { spawned, parent, key, label } = session;
    if (spawned === undefined || spawned.status !== "running") return;
    [spawned.status, spawned.endedAt] = [status, clock.now()];
    if (parent === undefined || parent.status === "ended" || status === "cancelled") return;
    send(parent, `The sub-agent ${label === undefined ? key : `"${label}" (${key})`} is ${status}.\n\n${text}`, {
      kind: "session",
      id: key,
    });
  }

  function close(session: MemorySession, error: string): void {
    session.status = "ended";
    for (const { settle, runId } of session.inbox.splice(0)) settle({ status: "error", error, runId });
    if (session.spawned?.cleanup === "delete") forget(session);
  }

  function end(session: MemorySession, status: ChildRun["status"], error: string): void {
    if (session.status === "ended") return;
    const { abort } = session;
    session.abort = undefined;
    tellParent(session, status, error);
    close(session, error);
    abort?.abort(error);
  }

  return { send, end };
}

type Answered = { readonly end: RunEnd } | { readonly status: "error"; readonly error: string };

function promiseOf<Value>(): { readonly promise: Promise<Value>; resolve(value: Value): void } {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((done) => (resolve = done));
  return { promise, resolve };
}
