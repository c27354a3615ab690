import { show } from "@toolrack/json-schema/internal";
import { isOutage } from "../errors.ts";
import { describeThrown, toFailure, type ToolResult } from "../tool/result.ts";
import { CallState } from "./context.ts";
import type { Step, StepOutcome } from "./call-plan.ts";
import type { CallHost, InvokeOptions } from "./host.ts";
import { type WaitEndings, untilInterrupted } from "./interrupts.ts";
import { announceCall, endCall } from "./record-call.ts";
import { run } from "./run.ts";
import { failHandler, settleHandler } from "./run-handler.ts";
import { findTool } from "./steps/find-tool.ts";
import { openServices, resolveConfigSecrets } from "./steps/open-resources.ts";
import { applySavedConfig } from "./steps/prepare-input.ts";
import { shortText } from "./wrapper.ts";

/** The one way to call a tool: every call, from every surface, goes through the steps of the tool's plan. Never rejects. */
export function invoke(host: CallHost, name: string, input: unknown, options: InvokeOptions): Promise<ToolResult> {
  const call = new CallState(host, typeof name === "string" ? name : show(name), input, options);
  if (host.traceCall !== undefined) openTrace(call, host.traceCall);
  if (host.events.hasListeners) announceCall(call);
  const result = start(call);
  return isPromise(result) ? result : Promise.resolve(result);
}

/** From here on the trace of the call is its own. A tracer that fails changes nothing. */
function openTrace(call: CallState, traceCall: NonNullable<CallHost["traceCall"]>): void {
  const { callId, name: tool, caller, options } = call;
  try {
    const trace = traceCall({ callId, tool, caller, trace: options.trace, parentCallId: options.parent?.callId });
    if (trace !== undefined) call.options = { ...options, trace };
  } catch {
    // The call goes on under the trace that it was made with.
  }
}

function start(call: CallState): ToolResult | Promise<ToolResult> {
  let failure: StepOutcome;
  try {
    failure = findTool(call);
  } catch (thrown) {
    failure = blame(call, thrown);
  }
  if (failure === undefined) {
    const deliver = call.options.deliver ?? call.plan!.deliver;
    if (deliver !== undefined && deliver !== "model") call.deliver = deliver;
    return walk(call, call.plan!.before, 0);
  }
  call.result = failure;
  return endCall(call);
}

/**
 * Takes the steps of a list one after another, from the first or from where the call had to wait. Before the handler a result ends the
 * list, and the handler does not run; after it, a result replaces the one so far.
 */
function walk(call: CallState, steps: readonly Step[], from: number): ToolResult | Promise<ToolResult> {
  const isBefore = steps === call.plan!.before;
  let position = from;
  try {
    for (; position < steps.length; position++) {
      const outcome = steps[position]!(call);
      if (outcome === undefined) continue;
      if (isPromise(outcome)) return resumeLater(call, steps, position + 1, outcome);
      if (isBefore) return leaveEarly(call, outcome, position);
      call.result = outcome;
    }
    return isBefore ? runHandler(call) : endCall(call);
  } catch (thrown) {
    return giveUp(call, steps, position + 1, thrown);
  }
}

function resumeLater(call: CallState, steps: readonly Step[], next: number, outcome: Promise<StepOutcome>): Promise<ToolResult> {
  const isBefore = steps === call.plan!.before;
  const settled = (later: StepOutcome): ToolResult | Promise<ToolResult> => {
    if (isBefore) call.runsSince = call.host.clock.now();
    if (later === undefined || later === null) return walk(call, steps, next);
    if (typeof later !== "object") return giveUp(call, steps, next, new TypeError("A wrapper returned something that is not a result."));
    if (isBefore) return leaveEarly(call, later, next - 1);
    call.result = later;
    return walk(call, steps, next);
  };
  const thrown = (error: unknown): ToolResult | Promise<ToolResult> => giveUp(call, steps, next, error);
  if (!opening.has(steps[next - 1]!)) return outcome.then(settled, thrown);
  return untilInterrupted(outcome, call, call.plan!.interrupts, {
    settled: (_, later) => settled(later),
    thrown: (_, error) => thrown(error),
    interrupted: (_, failure) => leaveEarly(call, failure, next - 1),
  });
}

/**
 * What a call waits for before its handler, other than people, hooks and the record of its start: ended by the caller's signal and by the time
 * limit, as the handler is.
 */
const opening: ReadonlySet<Step> = new Set<Step>([applySavedConfig, resolveConfigSecrets, openServices]);

function runHandler(call: CallState): ToolResult | Promise<ToolResult> {
  const result = run(call);
  return isPromise(result) ? waitFor(call, result) : leave(call, result);
}

function waitFor(call: CallState, result: Promise<ToolResult>): Promise<ToolResult> {
  if (call.isBounded) return untilInterrupted(result, call, call.plan!.interrupts, handlerEndings);
  return result.then(
    (later) => handlerEndings.settled(call, later),
    (thrown: unknown) => handlerEndings.thrown(call, thrown),
  );
}

/** The wait for the handler is over: the last steps follow at once, since another promise would cost as much as all of them. */
const handlerEndings: WaitEndings<ToolResult, CallState> = {
  settled(call, later) {
    if (!call.awaitsHandler) return leave(call, later);
    const read = settleHandler(call, later);
    // A stream is still to be read, and may be interrupted like the handler itself.
    return isPromise(read) ? waitFor(call, read) : leave(call, read);
  },
  thrown: (call, thrown) => leave(call, call.awaitsHandler ? failHandler(call, thrown) : blame(call, thrown)),
  interrupted: (call, failure) => leave(call, failure),
};

/** A step before the handler ended the call. */
function leaveEarly(call: CallState, result: ToolResult, position: number): ToolResult | Promise<ToolResult> {
  if (result.ok) return leave(call, result);
  call.refusal = result;
  const steps = call.plan!.afterRefusal?.[position];
  if (steps === undefined) return leave(call, result);
  call.result = result;
  return walk(call, steps, 0);
}

/** There is a result: the steps after the handler follow. */
function leave(call: CallState, result: ToolResult): ToolResult | Promise<ToolResult> {
  const plan = call.plan!;
  call.result = result.ok && call.refusal !== undefined ? call.refusal : result;
  const steps = call.extras === undefined && isShortText(call.result) ? plan.afterShortText : plan.after;
  return steps.length === 0 ? endCall(call) : walk(call, steps, 0);
}

/** A step threw. Its failure goes through the steps after the handler like any result; where one of those threw, through the rest of them. */
function giveUp(call: CallState, steps: readonly Step[], next: number, thrown: unknown): ToolResult | Promise<ToolResult> {
  const failure = blame(call, thrown);
  if (steps === call.plan!.before) return next > steps.length ? leave(call, failure) : leaveEarly(call, failure, next - 1);
  call.result = failure;
  return next > steps.length ? endCall(call) : walk(call, steps, next);
}

function isShortText(result: ToolResult): boolean {
  if (!result.ok) return result.error.length <= shortText;
  return result.data === undefined && result.blocks === undefined && result.content.length <= shortText;
}

/** Cheaper than `instanceof`, which walks the chain of prototypes. */
function isPromise<Value extends ToolResult | void>(outcome: Value | Promise<Value>): outcome is Promise<Value> {
  return (outcome as ToolResult).ok === undefined;
}

/** A port, a schema or a wrapper is at fault, not the caller. */
function blame(call: CallState, thrown: unknown): ToolResult {
  call.noteThrown(thrown);
  if (isOutage(thrown)) return toFailure(thrown, call.meta());
  return call.fail("TOOL_FAILED", `The call of "${call.name}" could not be made: ${describeThrown(thrown)}`);
}
