import { noCallLabels } from "./call-labels.ts";
import { callValue } from "./calls.ts";
import { GuestThrow } from "./errors.ts";
import type { Job, Machine } from "./machine.ts";
import { controlHandlers, paused } from "./ops/control.ts";
import { functionHandlers } from "./ops/functions.ts";
import type { Handler } from "./ops/handler.ts";
import { nameHandlers } from "./ops/names.ts";
import { objectHandlers } from "./ops/objects.ts";
import { operatorHandlers } from "./ops/operators.ts";
import { propertyHandlers } from "./ops/properties.ts";
import { valueHandlers } from "./ops/values.ts";
import { applyFunction } from "./effects.ts";
import { keepRaised, raiseForThrow } from "./raise.ts";
import { react, rejection, rejectPromise, resolvePromise } from "./promises.ts";
import { expand, readMember } from "./reach.ts";
import { unwindTo } from "./returns.ts";
import { timingOf, noteTiming } from "./timing.ts";
import { type Frame, FunctionValue, isCallable, PromiseValue, type Reaction } from "./values.ts";

const handlers: Handler[] = [];
for (const list of [valueHandlers, nameHandlers, propertyHandlers, objectHandlers, functionHandlers, controlHandlers, operatorHandlers]) {
  for (const [op, handler] of list) handlers[op] = handler;
}

/** Runs until nothing is left to do but wait for calls, or until a pause. */
export function run(m: Machine): "idle" | "paused" {
  for (;;) {
    try {
      for (let frame = m.frame; frame !== undefined; frame = m.frame) (handlers[frame.code[frame.pc++] as number] as Handler)(m, frame);
      const job = m.queue.shift();
      if (job === undefined) return "idle";
      runJob(m, job);
    } catch (error) {
      if (error === paused) return "paused";
      if (!(error instanceof GuestThrow)) throw error;
      m.endWork();
      unwindTo(m, error);
    }
  }
}

function runJob(m: Machine, job: Job): void {
  // Promises and frames that wait take more than a statement does.
  m.steps += 4;
  if (m.steps > m.limits.steps) m.stepLimit();
  if (job.kind === "subscribe") {
    react(m, job.from, { kind: "adopt", result: job.to });
    return;
  }
  const { reaction, promise } = job;
  if (reaction.kind === "resume") resume(m, reaction, promise);
  else if (reaction.kind === "adopt") {
    const { result } = reaction;
    result.timing |= promise.timing;
    result.mayThrow |= promise.mayThrow;
    if (promise.state === "fulfilled") resolvePromise(m, result, promise.value, promise.label, promise.settledBy);
    else rejectPromise(m, result, promise.value, promise.label, promise.settledBy);
  } else runThen(m, reaction, promise);
}

function resume(m: Machine, reaction: Extract<Reaction, { kind: "resume" }>, promise: PromiseValue): void {
  const { frame, label } = reaction;
  frame.depth = 1;
  m.frame = frame;
  if (m.tracked) {
    m.waiting.delete(frame);
    // A label under which it waits anyway ends with what it decides.
    const settledBy = promise.settledBy & ~frame.context;
    if (settledBy !== 0) keepRaised(frame, -1, settledBy);
    if (promise.mayThrow !== 0) raiseForThrow(frame, promise.mayThrow);
    if (promise.timing !== 0) noteTiming(m, frame, promise.timing);
  }
  if (label !== 0) chosenPromise(m, frame, promise, label);
  if (promise.state === "rejected") throw rejection(promise, label);
  frame.stack.push(promise.value);
  if (m.tracked) frame.stackLabels.push(promise.label | label);
}

/** A label chose the promise that was awaited: another one might have given another value, or thrown. */
function chosenPromise(m: Machine, frame: Frame, promise: PromiseValue, label: number): void {
  readMember(m, promise, promise.value, false);
  const others = expand(m, promise.hints?.instead);
  if ([...others].some((other) => other instanceof PromiseValue && (other.state === "rejected" || other.mayThrow !== 0)))
    raiseForThrow(frame, label);
}

function runThen(m: Machine, reaction: Extract<Reaction, { kind: "then" }>, promise: PromiseValue): void {
  const { result } = reaction;
  const fulfilled = promise.state === "fulfilled";
  const callback = fulfilled ? reaction.fulfilled : reaction.rejected;
  result.timing |= promise.timing;
  const which = m.tracked ? promise.settledBy | promise.mayThrow | (fulfilled ? 0 : promise.label) | timingOf(m, promise, result) : 0;
  if (which !== 0) {
    const other = fulfilled ? reaction.rejected : reaction.fulfilled;
    if (other instanceof FunctionValue) applyFunction(m, other, [], [], { label: which, done: new Map() });
    result.mayThrow |= promise.mayThrow;
  }
  if (!isCallable(callback)) {
    if (fulfilled) resolvePromise(m, result, promise.value, promise.label, promise.settledBy);
    else rejectPromise(m, result, promise.value, promise.label, promise.settledBy);
    return;
  }
  m.landed = undefined;
  try {
    const labels = m.tracked ? { fn: reaction.label | which, self: 0, args: [promise.label], count: 0 } : noCallLabels;
    callValue(m, callback, undefined, [promise.value], labels);
  } catch (error) {
    if (!(error instanceof GuestThrow)) throw error;
    m.frame = undefined;
    rejectPromise(m, result, error.value, error.label, 0);
    return;
  }
  if (m.frame !== undefined) m.frame.settles = result;
  else if (m.landed !== undefined) {
    const { value, label } = m.landed as { value: PromiseValue["value"]; label: number };
    resolvePromise(m, result, value, label, promise.settledBy);
  }
}
