import { isObject } from "@toolrack/json-schema/internal";
import { errorStatus } from "../../errors.ts";
import { describeThrown, type ToolResult } from "../../tool/result.ts";
import type { AfterCallHook } from "../hooks.ts";
import { untilAborted } from "../until-aborted.ts";
import type { Call, Wrapper } from "../wrapper.ts";

/** Runs the after-call hooks in order, each on the result of the one before. An asynchronous hook is awaited until the caller cancels. */
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
  const take = (changed: ToolResult | undefined | void): ToolResult => {
    if (changed === undefined || changed === null) return result;
    return isResult(changed) ? changed : keep(new TypeError("it returned something that is no result"));
  };
  try {
    const changed = hook(result, { tool: call.tool.name, input: call.input, caller: call.caller, callId: call.callId });
    if (!(changed instanceof Promise)) return take(changed);
    const taken = changed.then(take).catch(keep);
    return call.callerSignal === undefined ? taken : untilAborted(taken, call.callerSignal, call);
  } catch (error) {
    return keep(error);
  }
}

function isResult(value: unknown): value is ToolResult {
  if (!isObject(value) || !isObject(value["meta"])) return false;
  if (value["ok"] === true) return typeof value["content"] === "string";
  return value["ok"] === false && typeof value["error"] === "string" && Object.hasOwn(errorStatus, String(value["code"]));
}
