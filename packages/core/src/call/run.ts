import { show } from "../schema/issues.ts";
import type { ToolResult } from "../tool/result.ts";
import type { CallState } from "./context.ts";
import { type Outcomes, untilInterrupted } from "./interrupts.ts";
import { failHandler, settleHandler, startHandler } from "./run-handler.ts";
import { cancelled } from "./until-aborted.ts";

/**
 * The handler inside its wrappers. A call that has neither a signal nor a deadline waits for the handler's own promise, marked by
 * `awaitsHandler`; any other for that promise or what interrupts it. Never more than one hop: hops are most of what a call costs.
 */
export function run(call: CallState): ToolResult | Promise<ToolResult> {
  const plan = call.plan!;
  const { signal } = call.options;
  const timeoutMs = call.options.timeoutMs ?? plan.timeoutMs;
  if (signal === undefined && timeoutMs === undefined) return plan.isBare ? startHandler(call) : plan.run(call);
  if (signal?.aborted) return cancelled(call);
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs >= 0))
    return call.fail("CONFIG_INVALID", notMilliseconds(timeoutMs));
  const started = plan.isBare ? startHandler(call) : plan.run(call);
  if ("ok" in started) return started;
  const isRaw = call.awaitsHandler;
  call.awaitsHandler = false;
  return untilInterrupted(started, call, plan.interrupts, isRaw ? ofHandler : ofWrappers);
}

const ofHandler: Outcomes<unknown, CallState> = { settled: settleHandler, thrown: failHandler };
const ofWrappers: Outcomes<ToolResult, CallState> = { settled: (_, result) => result, thrown: failHandler };

function notMilliseconds(timeoutMs: unknown): string {
  return `timeoutMs must be a number of milliseconds of at least 0, but it is ${show(timeoutMs)}.`;
}
