import { describeThrown, type ToolResult } from "../tool/result.ts";
import { type WaitEndings, untilInterrupted } from "./interrupts.ts";
import { cancelled } from "./until-aborted.ts";
import type { Call, Run, Wrapper } from "./wrapper.ts";

/** One wrapper around a handler, in the order of every call: prepare, beforeRun, run, finish. A refused call skips the rest. */
export function wrapRun(wrapper: Wrapper, run: Run): Run {
  const inner = wrapper.run?.(run) ?? run;
  return async (call) => {
    if (wrapper.appliesTo?.(call.tool) === false) return run(call);
    if (wrapper.prepare) call.input = wrapper.prepare(call.input, call);
    const refused = await wrapper.beforeRun?.(call);
    if (refused) return refused;
    const result = await interruptible(wrapper, inner, call);
    return wrapper.finish ? wrapper.finish(result, call) : result;
  };
}

function interruptible(wrapper: Wrapper, run: Run, call: Call): ToolResult | Promise<ToolResult> {
  const { interrupt } = wrapper;
  if (interrupt === undefined) return run(call);
  if (call.callerSignal?.aborted) return cancelled(call);
  const result = run(call);
  if ("ok" in result) return result;
  return untilInterrupted(result, call, [interrupt], endings);
}

const endings: WaitEndings<ToolResult, Call> = {
  settled: (_, result) => result,
  thrown: (call, error) => call.fail("TOOL_FAILED", describeThrown(error)),
  interrupted: (_, failure) => failure,
};
