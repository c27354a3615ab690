import type { Caller, ErrorCode, InvokeOptions, ToolResult } from "@toolrack/core";
import { leavesKeyFree } from "@toolrack/core/internal";
import type { Job, JobHandler, JobOutcome, JsonObject } from "@toolrack/store";
import { shutDown } from "../calls/shut-down.ts";
import { settleUnfinished, type UnfinishedOptions } from "../calls/unfinished.ts";
import type { RunningCall } from "../rack.ts";
import type { ContentSealer } from "./call-content.ts";

export interface RunCallOptions {
  readonly sealer: ContentSealer;
  readonly unfinished: UnfinishedOptions;
  /** The present name of this server. */
  ownName(): string;
  start(tool: string, input: unknown, options: InvokeOptions): RunningCall;
  running(callId: string): RunningCall | undefined;
  /** The caller with the rights that it still has; a sentence if it has none. */
  callerNow(caller: Caller): Promise<Caller | string>;
  isClosing(): boolean;
  /** Why the tool cannot be called now, and when it can be: its source is away. */
  awayFor(tool: string, caller: Caller): Promise<AwayTool | undefined>;
  /** Whether a tool goes on with what an earlier attempt had begun. */
  goesOn(tool: string): boolean;
}

export interface AwayTool {
  readonly code: ErrorCode;
  readonly error: string;
  readonly retryAfterMs: number;
}

/** Each attempt of a job is one call, whose id follows from the job's. */
export function callIdOf(jobId: string, attempt: number): string {
  return `${jobId}.${attempt}`;
}

/**
 * Runs a job as a call through the registry, as its caller: the policy that is in force now decides. An attempt that ended with its server is
 * repeated only if that does nothing twice.
 */
export function createCallHandler(options: RunCallOptions): JobHandler {
  const { sealer, unfinished, ownName, start, running, callerNow, isClosing, awayFor, goesOn } = options;

  async function outcomeOfLost(job: Job, tool: string, attempt: number, server: string): Promise<JobOutcome | undefined> {
    const callId = callIdOf(job.id, attempt);
    // Another server believed that this one had ended: its calls are its own business.
    const isOwn = server === ownName();
    if (isOwn) await running(callId)?.result;
    const calls = isOwn ? { ...unfinished.calls, abandon: async () => 0 } : unfinished.calls;
    const outcome = await settleUnfinished({ callId, tool, server }, { ...unfinished, calls });
    if (outcome === "again" || (outcome === "unknown" && goesOn(tool))) return undefined;
    if (outcome !== "unknown") return toOutcome(outcome.result, false);
    const message = `The server that ran the job ended during the call of tool "${tool}"; whether the tool did its work is not known. Check, then replay the job.`;
    return { dead: { code: "OUTCOME_UNKNOWN", message } };
  }

  return async ({ job, lost, signal, progress }) => {
    const content = sealer.open(job);
    if (content === undefined) return { dead: { code: "STATE_INVALID", message: changedText } };
    const { tool, input, timeoutMs, deliver } = content;
    for (const { attempt, holder } of lost) {
      const outcome = await outcomeOfLost(job, tool, attempt, holder);
      if (outcome !== undefined) return outcome;
    }
    const caller = await callerNow(content.caller);
    if (typeof caller === "string") return { dead: { code: "SIGN_IN_ENDED", message: `${caller} The job did not run.` } };
    const away = await awayFor(tool, caller);
    if (away !== undefined) return { wait: { code: away.code, message: away.error }, afterMs: away.retryAfterMs };
    const call = start(tool, input, {
      caller,
      callId: callIdOf(job.id, job.attempt),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(deliver !== undefined && { deliver }),
      onProgress: (update) => progress(update as unknown as JsonObject),
    });
    const cancel = (): void => call.cancel(isClosing() ? shutDown() : (signal.reason as Error));
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    const result = await call.result;
    signal.removeEventListener("abort", cancel);
    return toOutcome(result, isClosing());
  };
}

function toOutcome(result: ToolResult, isClosing: boolean): JobOutcome {
  if (result.ok) return { done: result as unknown as JsonObject };
  const { code, error: message, retryable, retryAfterMs } = result;
  if (isClosing && code === "ABORTED" && leavesKeyFree(result)) return { release: true };
  const reason = { code, message };
  if (!retryable) return { dead: reason };
  return { retry: reason, ...(retryAfterMs !== undefined && { afterMs: retryAfterMs }) };
}

const changedText =
  "What the job is to call was changed in the store by somebody else than a server, or was sealed with another key. It does not run; make it again.";
