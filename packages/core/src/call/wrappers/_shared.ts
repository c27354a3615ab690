import { ToolError } from "../../errors.ts";
import type { Caller } from "../../tool/context.ts";
import type { ToolFailure, ToolResult } from "../../tool/result.ts";
import type { Call } from "../wrapper.ts";

/** Tells a result from the promise of one. */
export function isReady(result: ToolResult | Promise<ToolResult>): result is ToolResult {
  return "ok" in result;
}

/** What a call answers that was cancelled, or ran out of time, before its handler had its turn. */
export function abortedFailure(call: Call, moment: string): ToolFailure {
  const reason: unknown = call.signal.reason;
  const timedOut = typeof reason === "object" && reason !== null && (reason as { name?: unknown }).name === "TimeoutError";
  return timedOut
    ? call.fail("TIMEOUT", `Tool "${call.tool.name}" ran out of time ${moment}.`)
    : call.fail("ABORTED", `The call of tool "${call.tool.name}" was cancelled ${moment}.`);
}

/** One key per run of a tenant and principal, or per session where no run is known; undefined where neither is. */
export function runKey(caller: Caller): string | undefined {
  if (caller.run !== undefined) return JSON.stringify([caller.tenant, caller.principal, "run", caller.run]);
  if (caller.session !== undefined) return JSON.stringify([caller.tenant, caller.principal, "session", caller.session]);
  return undefined;
}

/** A whole number from `least` on, or a mistake that names the option. */
export function requireCount(option: string, value: number, least = 1): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new ToolError("CONFIG_INVALID", `${option} must be a whole number of at least ${least}, but it is ${String(value)}.`);
}

/** Milliseconds from 0 on, or a mistake that names the option. */
export function requireMs(option: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new ToolError("CONFIG_INVALID", `${option} must be a number of milliseconds of at least 0, but it is ${String(value)}.`);
}
