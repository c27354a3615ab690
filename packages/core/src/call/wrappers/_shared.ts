import type { Caller } from "../../tool/context.ts";
import type { ToolFailure, ToolResult } from "../../tool/result.ts";
import type { Call } from "../wrapper.ts";

/** Distinguishes a result from a promise. */
export function isReady(result: ToolResult | Promise<ToolResult>): result is ToolResult {
  return "ok" in result;
}

/** The failure of a call that was cancelled, or timed out, before its handler started. */
export function abortedFailure(call: Call, moment: string): ToolFailure {
  const reason: unknown = call.signal.reason;
  const timedOut = typeof reason === "object" && reason !== null && (reason as { name?: unknown }).name === "TimeoutError";
  return timedOut
    ? call.fail("TIMEOUT", `Tool "${call.tool.name}" ran out of time ${moment}.`)
    : call.fail("ABORTED", `The call of tool "${call.tool.name}" was cancelled ${moment}.`);
}

/** One key per run of a tenant and principal, or per session without a run; undefined without either. */
export function runKey(caller: Caller): string | undefined {
  if (caller.run !== undefined) return JSON.stringify([caller.tenant, caller.principal, "run", caller.run]);
  if (caller.session !== undefined) return JSON.stringify([caller.tenant, caller.principal, "session", caller.session]);
  return undefined;
}
