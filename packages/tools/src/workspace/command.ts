import { ToolError } from "@toolrack/core";
import type { ProcessCommand, ProcessEnd, ProcessOperations, StartedProcess } from "../operations/processes.ts";
import { createTextLog, type TextLog } from "./text-log.ts";

export interface CommandOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** What the program reads. @default nothing */
  readonly input?: string | undefined;
  /** How much of each stream is stored. @default 1 Mi */
  readonly maxChars?: number;
}

export interface FinishedCommand extends ProcessEnd {
  readonly stdout: TextLog;
  readonly stderr: TextLog;
  readonly timedOut: boolean;
}

export const defaultLogChars: number = 1024 * 1024;

/** Runs a program to its end, which comes at the latest with the time-out or the abort; all that it started ends with it. */
export async function runCommand(
  processes: ProcessOperations,
  command: Omit<ProcessCommand, "onOutput" | "takesInput" | "isBackground">,
  options: CommandOptions,
): Promise<FinishedCommand> {
  const { input, maxChars = defaultLogChars } = options;
  options.signal?.throwIfAborted();
  const logs = { stdout: createTextLog(maxChars), stderr: createTextLog(maxChars) };
  const started = await processes.start({
    ...command,
    takesInput: input !== undefined,
    onOutput: (stream, bytes) => logs[stream].append(bytes),
  });
  const end = await waitForEnd(started, options);
  for (const log of Object.values(logs)) log.end();
  return { ...end, ...logs };
}

/** Waits until a program has ended, and ends it when the time is over or the call is cancelled. */
export async function waitForEnd(started: StartedProcess, options: CommandOptions): Promise<ProcessEnd & { readonly timedOut: boolean }> {
  const { timeoutMs, signal, input } = options;
  let timedOut = false;
  const stop = (): void => void started.stop();
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, timeoutMs);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  try {
    if (input !== undefined) feed(started, input);
    const end = await started.ended;
    if (signal?.aborted) throw new ToolError("ABORTED", "The program was ended, because the call was cancelled.");
    return { ...end, timedOut };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** A program may end without reading all of its input, which is its own affair. */
function feed(started: StartedProcess, input: string): void {
  started.write(input).then(
    () => started.endInput(),
    () => {},
  );
}
