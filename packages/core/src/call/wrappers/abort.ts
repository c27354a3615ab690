import { watchersOf } from "../../util/abort-watchers.ts";
import { cancelled } from "../until-aborted.ts";
import type { Wrapper } from "../wrapper.ts";

/** Answers ABORTED at once when the caller cancels, also for a handler that does not listen. */
export const abortWrapper: Wrapper = {
  name: "abort",
  interrupt(call, end) {
    const { callerSignal } = call;
    if (callerSignal === undefined) return undefined;
    const abort = (): void => {
      call.cancel(callerSignal.reason);
      end(cancelled(call));
    };
    if (callerSignal.aborted) {
      abort();
      return undefined;
    }
    const watchers = watchersOf(callerSignal);
    watchers.add(abort);
    return () => watchers.remove(abort);
  },
};
