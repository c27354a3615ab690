import { type CallRecord, type ErrorCode, type Logger, refusalCodes } from "@toolrack/core";
import type { CallEnds } from "../../rack/calls/call-ends.ts";
import { decisionOf } from "../trace/decision.ts";
import type { LineFields } from "./line-fields.ts";
import { takesLine } from "./takes-line.ts";
import { originFields } from "../trace/origin.ts";

/**
 * One line for each call that ended, from every surface: at level warn if the tool ran and it or the server failed, else at info. An outage, in which
 * calls are refused, is logged once, where it begins.
 */
export function logCalls(log: Logger, callEnds: CallEnds): () => void {
  return callEnds.subscribe((call) => {
    const { result } = call;
    const level = !result.ok && result.status >= 500 && !isOfOutage(result.code) ? "warn" : "info";
    if (takesLine(log, level)) log[level]("call", toFields(call));
  });
}

function isOfOutage(code: ErrorCode): boolean {
  return refusalCodes.has(code) || code === "STORE_UNAVAILABLE";
}

function toFields(call: CallRecord): LineFields {
  const { callId, tool, caller, result, parentCallId, trace } = call;
  return {
    tool,
    agent: caller.agent,
    principal: caller.principal,
    decision: decisionOf(call),
    status: result.ok ? 200 : result.status,
    code: result.ok ? undefined : result.code,
    durationMs: Math.round(result.meta.durationMs * 1e3) / 1e3,
    callId,
    parentCallId,
    ...originFields(trace),
  };
}
