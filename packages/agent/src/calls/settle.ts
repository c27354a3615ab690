import type { ToolResult } from "@toolrack/core";
import { untilAborted } from "@toolrack/core/internal";
import type { ToolCall } from "@toolrack/core/vendors";
import type { RunState } from "../transcript/state.ts";
import type { OpenCalls } from "../transcript/transcript.ts";
import { callIdOf, type KnownResult, maxCallsInReply } from "./answer-calls.ts";
import { callMemoryOf } from "./call-memory.ts";
import { namedCall, toolOf } from "./make-call.ts";
import { type CallScope, refuse } from "./scope.ts";
import { isResumable } from "./resumable.ts";

/**
 * What became of a call whose run was cut off, by a log of calls: its result; "again" if it never began or may be repeated; "unknown" if nobody knows
 * whether it did its work.
 */
export type Settle = (callId: string, tool: string) => Promise<ToolResult | "again" | "unknown">;

export interface SettleOptions {
  readonly session: string;
  readonly state: RunState;
  readonly scope: CallScope;
  /** @default what this process remembers; for a run of another process nothing is known */
  readonly settle: Settle | undefined;
}

/** The answers to calls that a run left open: those it had got while it waited for a person, or those that can be found out. */
export async function settleCalls({ seq, message }: OpenCalls, options: SettleOptions): Promise<KnownResult> {
  const { state, session } = options;
  const { waiting } = state;
  if (waiting?.seq === seq) return (index) => waiting.results[index] ?? undefined;
  const made = message.calls.slice(0, maxCallsInReply);
  const known = await Promise.all(made.map((call, index) => settleOne(call, callIdOf(session, seq, index), options)));
  return (index) => known[index];
}

/** Undefined: the call is to be made. */
async function settleOne(call: ToolCall, callId: string, options: SettleOptions): Promise<ToolResult | undefined> {
  const { scope, settle = rememberedBy(options) } = options;
  const { name } = namedCall(call, scope);
  if (call.error !== undefined || scope.offer.own.has(name)) return undefined;
  const outcome = await untilAborted(settle(callId, name), scope.signal);
  if (typeof outcome === "object") return outcome;
  const tool = toolOf(call, scope);
  const { readOnly, idempotent } = tool?.metadata?.annotations ?? {};
  if (outcome === "again" || readOnly === true || idempotent === true || (tool !== undefined && isResumable(tool))) return undefined;
  return refuse(
    "OUTCOME_UNKNOWN",
    `The call of tool "${name}" was cut off, and nobody knows whether it did its work. It may have happened: look before you repeat it.`,
    callId,
    name,
  );
}

function rememberedBy({ state, scope }: SettleOptions): Settle {
  const memory = callMemoryOf(scope.registry);
  return async (callId) => {
    const begun = memory.begun(callId);
    if (begun !== undefined) return begun;
    return state.callsBy === memory.id ? "again" : "unknown";
  };
}
