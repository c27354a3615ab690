import type { Wrapper } from "../../wrapper.ts";
import { createBoundedMap } from "./_bounded-map.ts";
import { runKey } from "../_shared.ts";
import { requireCount } from "../../require-number.ts";

export interface CallBudgetOptions {
  /** How many calls one run may make, including refused ones. Without a run, the session counts. */
  callsPerRun: number;
  /** How many runs are remembered; the least recently used are dropped. @default 10_000 */
  maxRuns?: number;
}

/** Limits the number of calls of a run. A caller with neither run nor session cannot be counted, and each result has a warning. */
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
