import { type Caller, type ErrorCode, errorCodes, type ToolResult } from "@toolrack/core";
import { isOutage, leavesKeyFree, toFailure } from "@toolrack/core/internal";
import { type BreadcrumbStore, createAnswers, type ServerLease } from "@toolrack/store";
import { settleUnfinished, type UnfinishedOptions } from "./unfinished.ts";

/** Makes a call at most once for each key, tool and caller, on all servers of the store. Never rejects. */
export interface SharedIdempotency {
  /** `lost` is aborted when this server lost its lease: a call that has not started must not start then. */
  once(call: KeyedCall, make: (lost: AbortSignal) => Promise<ToolResult>): Promise<ToolResult>;
}

export interface KeyedCall {
  readonly key: string;
  readonly tool: string;
  /** What the key is bound to: the arguments, with what is pinned. */
  readonly request: unknown;
  readonly caller: Caller;
  readonly callId: string;
  readonly signal?: AbortSignal;
}

export interface SharedIdempotencyOptions extends UnfinishedOptions {
  readonly store: BreadcrumbStore;
  readonly lease: ServerLease;
  /** How long an answer is kept. @default one day */
  readonly keepMs?: number;
}

export function createSharedIdempotency({ store, lease, keepMs, ...log }: SharedIdempotencyOptions): SharedIdempotency {
  const answers = createAnswers(store, { server: lease, ...(keepMs !== undefined && { keepMs }) });
  return {
    async once({ key, tool, request, caller, callId, signal }, make) {
      const { tenant = null, principal = null, agent = null, sender = null } = caller;
      const refuse = (code: ErrorCode, error: string): ToolResult => {
        const { status } = errorCodes[code];
        return { ok: false, error, code, status, retryable: code === "TIMEOUT", meta: { callId, tool, durationMs: 0 } };
      };
      let made: ToolResult | undefined;
      try {
        const answered = await answers.once({
          key: JSON.stringify([tenant, principal, agent, sender, tool, key]),
          caller: JSON.stringify([tenant, principal, agent, sender]),
          request: request ?? null,
          work: callId,
          make: async (lost) => (made = await make(lost)),
          settle: async ({ server, work }) => {
            if (work === undefined) return "unknown";
            const outcome = await settleUnfinished({ callId: work, tool, server }, log);
            return typeof outcome === "string" ? outcome : { value: outcome.result };
          },
          isKept: (result) => !leavesKeyFree(result),
          waitMs: longestMs,
          ...(signal && { signal }),
        });
        if (answered.outcome === "answered") return answered.value;
        const name = `The idempotency key "${key.slice(0, 100)}"`;
        if (answered.outcome === "different")
          return refuse("INPUT_INVALID", `${name} was used for tool "${tool}" with other arguments. Use a new key.`);
        if (answered.outcome === "unknown")
          return refuse(
            "OUTCOME_UNKNOWN",
            `${name} belongs to a call of tool "${tool}" whose server ended before its answer was kept; whether the tool did its work is not known. Check, then use a new key.`,
          );
        if (answered.outcome === "running")
          return refuse("TIMEOUT", `${name} belongs to a call of tool "${tool}" that still runs. Ask again later.`);
        return refuse("RESULT_TOO_LARGE", `${name} was answered, and the answer of tool "${tool}" was too large to be kept.`);
      } catch (error) {
        // The call ended; only its answer could not be stored.
        if (made !== undefined) return made;
        if (signal?.aborted === true) return refuse("ABORTED", "The caller cancelled the call.");
        if (isOutage(error)) return toFailure(error, { callId, tool, durationMs: 0 });
        return refuse(
          "TOOL_FAILED",
          `The call of tool "${tool}" could not be made: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    },
  };
}

const longestMs = 3_600_000;
