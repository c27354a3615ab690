import { describeThrown, type ToolResult } from "../../tool/result.ts";
import type { AfterCallHook } from "../hooks.ts";
import type { Call, Wrapper } from "../wrapper.ts";

/** Runs the after-call hooks in order, each on what the one before it left. */
export function createAfterHooks(hooks: readonly AfterCallHook[]): Wrapper {
  return {
    name: "after-hooks",
    appliesTo: () => hooks.length > 0,
    finish: (result, call) => runFrom(0, result, call),
  };

  function runFrom(start: number, result: ToolResult, call: Call): ToolResult | Promise<ToolResult> {
    let current = result;
    for (let index = start; index < hooks.length; index++) {
      const next = runHook(hooks[index]!, current, call);
      if (next instanceof Promise) return next.then((changed) => runFrom(index + 1, changed, call));
      current = next;
    }
    return current;
  }
}

function runHook(hook: AfterCallHook, result: ToolResult, call: Call): ToolResult | Promise<ToolResult> {
  const keep = (error: unknown): ToolResult => {
    call.warn(`An after-call hook failed and was left out: ${describeThrown(error)}`);
    return result;
  };
  try {
    const changed = hook(result, { tool: call.tool.name, input: call.input, caller: call.caller, callId: call.callId });
    if (!(changed instanceof Promise)) return changed ?? result;
    return changed.then((value) => value ?? result, keep);
  } catch (error) {
    return keep(error);
  }
}
