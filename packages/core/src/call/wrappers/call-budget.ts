import type { Wrapper } from "../wrapper.ts";
import { createBoundedMap } from "./_bounded-map.ts";
import { requireCount, runKey } from "./_shared.ts";

export interface CallBudgetOptions {
  /** How many calls one run may make, refused ones included. Where no run is known, the session counts. */
  callsPerRun: number;
  /** How many runs are remembered; those not heard of for longest are forgotten. @default 10_000 */
  maxRuns?: number;
}

/** Ends a run that calls tools without end. A caller with neither run nor session cannot be counted, and each result says so. */
export function createCallBudget(options: CallBudgetOptions): Wrapper {
  const budget = requireCount("callsPerRun", options.callsPerRun);
  const used = createBoundedMap<number>(requireCount("maxRuns", options.maxRuns ?? 10_000, 2));
  return {
    name: "call-budget",
    beforeRun(call) {
      const run = runKey(call.caller);
      if (run === undefined) {
        call.warn("The call names neither a run nor a session, so the call budget does not count it.");
        return undefined;
      }
      const before = used.get(run) ?? 0;
      if (before < budget) {
        used.set(run, before + 1);
        return undefined;
      }
      return call.fail(
        "BUDGET_EXCEEDED",
        `This run has made its ${budget} calls, so "${call.tool.name}" was not called. Answer with what is known so far.`,
      );
    },
  };
}
