import type { Run, Wrapper } from "./wrapper.ts";

/** One wrapper around a handler, in the order of every call: prepare, admit, run, finish. A refused call skips what follows. */
export function wrapRun(wrapper: Wrapper, run: Run): Run {
  const inner = wrapper.run?.(run) ?? run;
  return async (call) => {
    if (wrapper.appliesTo?.(call.tool) === false) return run(call);
    if (wrapper.prepare) call.input = wrapper.prepare(call.input, call);
    const refused = await wrapper.admit?.(call);
    if (refused) return refused;
    const result = await inner(call);
    return wrapper.finish ? wrapper.finish(result, call) : result;
  };
}
