import type { StepOutcome } from "../call-plan.ts";
import type { CallState } from "../context.ts";
import { untilAborted } from "../until-aborted.ts";

/** Refuses a tool that the caller may not use now. */
export function checkPermission(call: CallState): StepOutcome {
  return call.host.refuse(call.plan!, call);
}

/** For a tool that every caller may use: a session that was spawned has only what its parent had. */
export function checkInherited(call: CallState): StepOutcome {
  return call.caller.inherited === undefined ? undefined : checkPermission(call);
}

/** The rules over arguments: refuses the call, or waits for a person. */
export function checkArguments(call: CallState): StepOutcome | Promise<StepOutcome> {
  const { host, callerSignal } = call;
  const examined = host.examine?.(call);
  return examined instanceof Promise && callerSignal !== undefined ? untilAborted(examined, callerSignal, call) : examined;
}
