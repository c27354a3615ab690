import type { FunctionCode } from "../compile/code.ts";
import { noCallLabels, type Labels } from "./call-labels.ts";
import { methodMutation } from "../labels/mutators.ts";
import { nativeName, taintOthers } from "./effects.ts";
import { LimitReached } from "./errors.ts";
import { longCode } from "./long-code.ts";
import { Frame } from "./values.ts";
import type { Machine } from "./machine.ts";
import { rejectPromise, resolvePromise } from "./promises.ts";
import { callTool } from "./tools.ts";
import {
  ArrayValue,
  DateValue,
  FunctionValue,
  MapValue,
  NativeValue,
  ObjectValue,
  PromiseValue,
  RegExpValue,
  ResolverValue,
  ToolValue,
  unset,
  type Slot,
  type Value,
} from "./values.ts";
import { sizes } from "./sizes.ts";

/** Calls a value. The result is delivered to the present frame, at once or when the function's own frame ends. */
export function callValue(m: Machine, fn: Value, self: Value, args: Value[], labels: Labels): void {
  m.steps++;
  if (fn instanceof FunctionValue) {
    if (fn.cls !== undefined) m.fail("TypeError", `The class ${fn.name || "(anonymous)"} is made with new: new ${fn.name || "Class"}().`);
    const frame = pushFrame(m, fn, fn.code.arrow ? fn.self : self, args, labels);
    frame.selfLabel = labels.self;
    return;
  }
  if (fn instanceof NativeValue) return callNative(m, fn, self, args, labels);
  if (fn instanceof ToolValue) {
    m.touched = 0;
    const promise = callTool(m, fn.name, args, labels);
    return deliver(m, promise, 0);
  }
  if (fn instanceof ResolverValue) {
    callResolver(m, fn, args[0], labels);
    return deliver(m, undefined, 0);
  }
  m.fail("TypeError", "not a function");
}

function callNative(m: Machine, fn: NativeValue, self: Value, args: Value[], labels: Labels): void {
  const definition = m.natives.functions.get(fn.name);
  if (definition === undefined || (definition.call === undefined && definition.prelude === undefined)) {
    m.fail("TypeError", definition === undefined ? `${fn.name} is not a function` : `${fn.name} is made with new: new ${fn.name}().`);
  }
  if (definition.prelude !== undefined) {
    const frame = pushFrame(m, m.preludeFunction(definition.prelude), self, args, labels);
    frame.selfLabel = labels.self;
    return;
  }
  if (fn.name === "$call") {
    return callValue(
      m,
      args[0],
      args[1],
      args.slice(2),
      m.tracked ? { fn: labels.args[0] ?? 0, self: labels.args[1] ?? 0, args: labels.args.slice(2), count: 0 } : noCallLabels,
    );
  }
  m.beginWork();
  if (m.tracked) {
    joinLabels(m, labels);
    const mutation = labels.self === 0 ? undefined : methodMutation(nativeName(fn));
    if (mutation !== undefined) taintOthers(m, self, mutation, labels.self | m.context);
  }
  const result = (definition.call as NonNullable<typeof definition.call>)(m, self, args);
  deliver(m, result, m.touched | labels.fn);
}

/** A native function's result takes the labels of all that it was given, unless it says otherwise. */
function joinLabels(m: Machine, labels: Labels): void {
  let joined = labels.fn | labels.self | labels.count;
  for (const label of labels.args) joined |= label;
  m.touched = joined;
  m.selfLabel = labels.self | labels.fn;
  m.argLabels = labels.args;
  m.countLabel = labels.count;
}

function callResolver(m: Machine, fn: ResolverValue, value: Value, labels: Labels): void {
  const { promise } = fn;
  const context = m.context | labels.fn;
  if (promise.locked) return;
  promise.locked = true;
  if (fn.rejects) rejectPromise(m, promise, value, labels.args[0] ?? 0, context);
  else resolvePromise(m, promise, value, labels.args[0] ?? 0, context);
}

function pushFrame(m: Machine, fn: FunctionValue, self: Slot, args: Value[], labels: Labels): Frame {
  const { code } = fn;
  const frame = new Frame(fn.unit, code, fn, fn.env, self, args, labels.args);
  m.steps += longCode(code.code.length);
  const caller = m.frame;
  frame.caller = caller;
  frame.depth = (caller?.depth ?? 0) + (fn.unit.builtin ? 0 : 1);
  if (frame.depth > m.limits.depth) tooDeep(m);
  m.allocate((code.async ? sizes.frame + sizes.promise : 64) + 16 * code.locals);
  fillParameters(frame, code, args, labels);
  if (m.tracked) {
    frame.countLabel = labels.count;
    frame.context = m.context | labels.fn;
    frame.entry = frame.context;
  }
  if (code.async) {
    frame.promise = new PromiseValue();
    frame.promise.frame = frame;
    frame.promise.locked = true;
  }
  m.frame = frame;
  return frame;
}

function fillParameters(frame: Frame, code: FunctionCode, args: Value[], labels: Labels): void {
  const given = Math.min(code.plainParams, args.length);
  for (let at = 0; at < given; at++) {
    frame.locals[at] = args[at];
    if (frame.unit.tracked) frame.localLabels[at] = labels.args[at] ?? 0;
  }
  // That an argument is missing tells of their number.
  if (labels.count !== 0) for (let at = given; at < code.plainParams; at++) frame.localLabels[at] = labels.count;
}

function tooDeep(m: Machine): never {
  throw new LimitReached(
    "depth",
    `Functions call each other more than ${m.limits.depth} levels deep. Use a loop, or look for a recursion that does not end.`,
  );
}

/** Puts a result where it is awaited: on the stack of the present frame. */
export function deliver(m: Machine, value: Value, label: number): void {
  m.endWork();
  const { frame } = m;
  if (frame === undefined) {
    m.landed = { value, label };
    return;
  }
  frame.stack.push(value);
  if (m.tracked) frame.stackLabels.push(label);
}

export function constructValue(m: Machine, fn: Value, args: Value[], labels: Labels, newTarget: Value): void {
  m.steps++;
  if (fn instanceof FunctionValue) {
    const { role, arrow, async } = fn.code;
    if (arrow || async || role === "method" || role === "fields" || fn.unit.builtin) m.fail("TypeError", "not a constructor");
    let self: Slot = unset;
    if (role !== "derived") {
      const object = new ObjectValue();
      object.cls = newTarget as FunctionValue;
      m.allocate(sizes.object);
      self = object;
    }
    const frame = pushFrame(m, fn, self, args, labels);
    frame.newTarget = newTarget;
    return;
  }
  if (fn instanceof NativeValue) {
    const definition = m.natives.functions.get(fn.name);
    if (definition?.constructPrelude !== undefined) {
      pushFrame(m, m.preludeFunction(definition.constructPrelude), undefined, args, labels);
      return;
    }
    if (definition?.construct !== undefined) {
      m.beginWork();
      if (m.tracked) joinLabels(m, labels);
      const made = definition.construct(m, args, newTarget);
      if (newTarget instanceof FunctionValue) setClass(made, newTarget);
      return deliver(m, made, m.touched | labels.fn);
    }
  }
  m.fail("TypeError", "not a constructor");
}

function setClass(made: Value, cls: FunctionValue): void {
  if (
    made instanceof ObjectValue ||
    made instanceof ArrayValue ||
    made instanceof MapValue ||
    made instanceof DateValue ||
    made instanceof RegExpValue
  ) {
    made.cls = cls;
  }
}
