import { Worker } from "node:worker_threads";
import { type ErrorCode, ToolError } from "../errors.ts";
import { threadFile } from "./thread/thread-file.ts";
import type { ThreadAnswer, ThreadOrder, ThreadWork } from "./thread/thread-work.ts";

export interface InThreadOptions {
  /** Ends the work, or takes it out of the queue. */
  readonly signal?: AbortSignal;
  /** How long the work may take once it has begun; then its thread is ended, and the promise rejects with TIMEOUT. @default 5_000 */
  readonly maxRunMs?: number;
}

/**
 * Builds a grammar in a worker thread, so that the calling thread can serve others meanwhile: `grammarInThread("toLark", [schema])`. The process has one such
 * thread, which does one job after another. A thread that takes too long, or whose caller has aborted, is terminated; the next job
 * gets a new one.
 */
export async function grammarInThread<Name extends keyof ThreadWork>(
  work: Name,
  args: Parameters<ThreadWork[Name]>,
  { signal, maxRunMs = 5_000 }: InThreadOptions = {},
): Promise<ReturnType<ThreadWork[Name]>> {
  const before = last;
  let leave!: () => void;
  last = new Promise((resolve) => (leave = resolve));
  try {
    await before;
    signal?.throwIfAborted();
    const answer = await ask({ work, args }, signal, maxRunMs);
    if ("result" in answer) return answer.result as ReturnType<ThreadWork[Name]>;
    throw answer.code === undefined ? new Error(answer.message) : new ToolError(answer.code as ErrorCode, answer.message);
  } finally {
    leave();
  }
}

let last: Promise<void> = Promise.resolve();
let idle: Worker | undefined;

function ask(order: ThreadOrder, signal: AbortSignal | undefined, maxRunMs: number): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    const thread = idle ?? startThread();
    idle = undefined;
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      thread.off("message", take).off("error", fail).off("exit", fail);
    };
    const end = (error: Error): void => {
      settle();
      void thread.terminate();
      reject(error);
    };
    const giveUp = (): void => end(signal!.reason as Error);
    const timer = setTimeout(() => end(tooLong(maxRunMs)), maxRunMs);
    signal?.addEventListener("abort", giveUp, { once: true });
    const fail = (cause: unknown): void => end(failed(cause));
    const take = (answer: ThreadAnswer): void => {
      settle();
      keep(thread);
      resolve(answer);
    };
    thread.on("message", take).on("error", fail).on("exit", fail);
    thread.ref();
    try {
      thread.postMessage(order);
    } catch (error) {
      end(error as Error);
    }
  });
}

function startThread(): Worker {
  const thread = new Worker(threadFile(), {
    name: "toolrack grammars",
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
  });
  const forget = (): void => {
    if (idle === thread) idle = undefined;
  };
  return thread.on("error", forget).on("exit", forget);
}

/** Starting a thread takes longer than most grammars, so it is reused. It does not keep the process alive. */
function keep(thread: Worker): void {
  thread.unref();
  idle = thread;
}

function tooLong(maxRunMs: number): ToolError {
  return new ToolError("TIMEOUT", `The grammar was not finished within ${maxRunMs} ms. Ask for fewer tools, or simpler schemas.`);
}

function failed(cause: unknown): ToolError {
  return new ToolError(
    "TOOL_FAILED",
    "The thread that builds grammars ended unexpectedly: the schemas may be too much for it. Ask for less.",
    {
      cause,
    },
  );
}
