import { createHash } from "node:crypto";
import type { Caller, ErrorCode, ToolResult } from "@toolrack/core";
import { type BreadcrumbStore, canonicalJson } from "@toolrack/store";

/** Makes a call at most once for each key, tool and caller, on whichever server it comes again. */
export interface SharedIdempotency {
  once(call: KeyedCall, make: () => Promise<ToolResult>): Promise<ToolResult>;
}

export interface KeyedCall {
  readonly key: string;
  readonly tool: string;
  readonly input: unknown;
  readonly caller: Caller;
  readonly callId: string;
}

export interface IdempotencyOptions {
  readonly store: BreadcrumbStore;
  /** The result of a call that may run elsewhere. */
  waitFor(callId: string): Promise<ToolResult>;
  /** How long the first answer is kept. @default a day */
  readonly keepMs?: number;
}

export function createSharedIdempotency({ store, waitFor, keepMs = 86_400_000 }: IdempotencyOptions): SharedIdempotency {
  const ttl = { afterMs: keepMs };
  const draftOf = (id: string, context: Record<string, unknown>): Parameters<BreadcrumbStore["put"]>[0] => ({
    id,
    schema_name: "toolrack.idempotency.v1",
    context,
    ttl,
    visibility: "private",
    sensitivity: "pii",
  });

  return {
    async once({ key, tool, input, caller, callId }, make) {
      const id = `idempotency-${digestOf([caller.tenant ?? null, caller.agent ?? null, caller.sender ?? null, tool, key])}`;
      const digest = digestOf(input);
      const mine = await store.put(draftOf(id, { callId, digest }));
      if (!mine.ok) {
        const first = (await store.get(id))?.context;
        if (first === undefined) return this.once({ key, tool, input, caller, callId }, make);
        if (first["digest"] !== digest) return reused(key, tool, callId);
        return (first["result"] as ToolResult | undefined) ?? waitFor(String(first["callId"]));
      }
      const result = await make();
      // What did nothing leaves the key free for another try.
      if (!result.ok && nothingDone.has(result.code)) await store.remove(id);
      else await store.put({ ...draftOf(id, { callId, digest, result }), version: mine.record.version });
      return result;
    },
  };
}

function digestOf(value: unknown): string {
  return createHash("sha256")
    .update(canonicalJson(value ?? null))
    .digest("hex");
}

function reused(key: string, tool: string, callId: string): ToolResult {
  const error = `The idempotency key "${key.slice(0, 100)}" was used for tool "${tool}" with other arguments. Use a new key.`;
  return { ok: false, error, code: "INPUT_INVALID", status: 400, retryable: false, meta: { callId, tool, durationMs: 0 } };
}

/** Codes of calls that end before a handler does anything. */
const nothingDone: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "TOOL_NOT_FOUND",
  "TOOL_NOT_ALLOWED",
  "TOOL_DISABLED",
  "TOOL_UNAVAILABLE",
  "NEEDS_CONFIGURATION",
  "INPUT_INVALID",
  "PATH_OUTSIDE_WORKSPACE",
  "BLOCKED",
  "APPROVAL_REQUIRED",
  "APPROVAL_DENIED",
  "RATE_LIMITED",
  "BUDGET_EXCEEDED",
  "LOOP_DETECTED",
  "QUEUE_FULL",
  "CIRCUIT_OPEN",
  "DEPTH_EXCEEDED",
]);
