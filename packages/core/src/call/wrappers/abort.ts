import { cancelled, untilAborted } from "../until-aborted.ts";
import type { Wrapper } from "../wrapper.ts";
import { isReady } from "./_shared.ts";

/** Answers ABORTED at once when the caller cancels, also for a handler that does not listen. */
export const abortWrapper: Wrapper = {
  name: "abort",
  runsFor: "signal",
  run: (next) => (call) => {
    const { callerSignal } = call;
    if (callerSignal === undefined) return next(call);
    if (callerSignal.aborted) return cancelled(call);
    const result = next(call);
    return isReady(result) ? result : untilAborted(result, callerSignal, call);
  },
};
