import { isObject } from "@toolrack/json-schema/internal";
import { describeThrown, type ToolFailure } from "../../tool/result.ts";
import type { BeforeCallHook, HookDecision } from "../hooks.ts";
import { untilAborted } from "../until-aborted.ts";
import type { Call, Wrapper } from "../wrapper.ts";

/**
 * Runs the before-call hooks in order. A block is final, a hook that throws blocks, and a changed input is validated again.
 * Synchronous as long as the hooks are; an asynchronous hook is awaited until the caller cancels.
 */
export function createBeforeHooks(hooks: readonly BeforeCallHook[]): Wrapper {
  return {
    name: "before-hooks",
    appliesTo: () => hooks.length > 0,
    beforeRun: (call) => runFrom(0, call),
  };

  function runFrom(start: number, call: Call): ToolFailure | undefined | Promise<ToolFailure | undefined> {
    for (let index = start; index < hooks.length; index++) {
      const refused = runHook(hooks[index]!, call);
      if (refused instanceof Promise) return refused.then((failure) => failure ?? runFrom(index + 1, call));
      if (refused !== undefined) return refused;
    }
    return undefined;
  }
}

function runHook(hook: BeforeCallHook, call: Call): ToolFailure | undefined | Promise<ToolFailure | undefined> {
  try {
    const decided = hook({ tool: call.tool.name, input: call.input, caller: call.caller, callId: call.callId });
    if (!(decided instanceof Promise)) return follow(decided, call);
    const followed = decided.then((decision) => follow(decision, call)).catch((error: unknown) => broken(error, call));
    return call.callerSignal === undefined ? followed : untilAborted(followed, call.callerSignal, call);
  } catch (error) {
    return broken(error, call);
  }
}

function follow(decision: HookDecision | undefined | void, call: Call): ToolFailure | undefined | Promise<ToolFailure | undefined> {
  if (decision === undefined) return undefined;
  if (!isObject(decision)) return broken(new TypeError("it returned neither { block } nor { input }"), call);
  if ("block" in decision && typeof decision.block === "string") {
    return call.fail("BLOCKED", `The call of tool "${call.tool.name}" was blocked: ${decision.block}`);
  }
  if ("input" in decision && isObject(decision.input)) return call.replaceInput(decision.input);
  return broken(new TypeError("it returned neither { block } nor { input }"), call);
}

function broken(error: unknown, call: Call): ToolFailure {
  return call.fail(
    "BLOCKED",
    `The call of tool "${call.tool.name}" was blocked because a before-call hook failed: ${describeThrown(error)}`,
  );
}
