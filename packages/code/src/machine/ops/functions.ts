import { Op } from "../../compile/ops.ts";
import { noCallLabels, type Labels } from "../call-labels.ts";
import { callValue, constructValue } from "../calls.ts";
import { joinOtherMethods, joinOthers } from "../contexts.ts";
import { explainNotCallable } from "../explain.ts";
import type { Frame } from "../values.ts";
import type { FunctionCode } from "../../compile/code.ts";
import type { Machine } from "../machine.ts";
import { readMember } from "../reach.ts";
import { returnFrom } from "../returns.ts";
import { suspend } from "../suspend.ts";
import { type ArrayValue, FunctionValue, isCallable, NativeValue, unset, type Value } from "../values.ts";
import { toKey } from "../convert.ts";
import { operand, pop, popLabel, push, take, takeLabels, type Handlers } from "./handler.ts";
import { sizes } from "../sizes.ts";

export const functionHandlers: Handlers = [
  [
    Op.Closure,
    (m, f) => {
      const code = f.unit.functions[operand(f)] as FunctionCode;
      m.allocate(sizes.func);
      const made = new FunctionValue(f.unit, code, f.env, code.arrow ? f.self : undefined);
      if (code.arrow && f.func?.home !== undefined) {
        made.home = f.func.home;
        made.homeStatic = f.func.homeStatic;
      }
      push(m, f, made, 0);
    },
  ],
  [Op.Call, (m, f) => call(m, f, operand(f), false)],
  [Op.CallMethod, (m, f) => call(m, f, operand(f), true)],
  [Op.CallSpread, (m, f) => callSpread(m, f, false)],
  [Op.CallMethodSpread, (m, f) => callSpread(m, f, true)],
  [
    Op.New,
    (m, f) => {
      const count = operand(f);
      const args = take(f, count);
      const labels = takeLabels(m, f, count);
      construct(m, f, args, labels, 0);
    },
  ],
  [
    Op.NewSpread,
    (m, f) => {
      const { args, labels, count } = takeArray(m, f);
      construct(m, f, args, labels, count);
    },
  ],
  [
    Op.SuperCall,
    (m, f) => {
      const count = operand(f);
      const args = take(f, count);
      superCall(m, f, args, takeLabels(m, f, count), 0);
    },
  ],
  [
    Op.SuperCallSpread,
    (m, f) => {
      const { args, labels, count } = takeArray(m, f);
      superCall(m, f, args, labels, count);
    },
  ],
  [
    Op.SetThis,
    (m, f) => {
      if (f.self !== unset) m.fail("ReferenceError", "super(…) was called twice.");
      f.self = pop(f);
      f.selfLabel = popLabel(m, f);
    },
  ],
  [
    Op.InitFields,
    (m, f) => {
      const fields = f.func?.cls?.fields;
      if (fields === undefined) push(m, f, undefined, 0);
      else callValue(m, fields, f.self as Value, [], noCallLabels);
    },
  ],
  [Op.Class, makeClass],
  [
    Op.Method,
    (m, f) => {
      const isStatic = operand(f) === 1;
      const fn = pop(f) as FunctionValue;
      const key = toKey(m, pop(f));
      popLabel(m, f);
      tellsOfClass(m, f, popLabel(m, f));
      const cls = f.stack[f.stack.length - 1] as FunctionValue;
      fn.home = cls;
      fn.homeStatic = isStatic;
      if (key === "__proto__" || (isStatic && key === "prototype")) m.fail("TypeError", `A member of a class cannot be named "${key}".`);
      if (isStatic) (cls.slots ??= new Map()).set(key, fn);
      else cls.cls?.methods.set(key, fn);
    },
  ],
  [
    Op.Fields,
    (m, f) => {
      const fn = pop(f) as FunctionValue;
      popLabel(m, f);
      const cls = f.stack[f.stack.length - 1] as FunctionValue;
      fn.home = cls;
      if (cls.cls !== undefined) cls.cls.fields = fn;
    },
  ],
  [
    Op.FieldKey,
    (m, f) => {
      const isStatic = operand(f) === 1;
      const key = toKey(m, pop(f));
      tellsOfClass(m, f, popLabel(m, f));
      const cls = (f.stack[f.stack.length - 1] as FunctionValue).cls;
      (isStatic ? cls?.staticFieldKeys : cls?.fieldKeys)?.push(key);
    },
  ],
  [
    Op.Home,
    (_m, f) => {
      const fn = f.stack[f.stack.length - 1] as FunctionValue;
      fn.home = f.stack[f.stack.length - 2] as FunctionValue;
      fn.homeStatic = operand(f) === 1;
    },
  ],
  [
    Op.NameFunction,
    (m, f) => {
      const fn = f.stack[f.stack.length - 1] as Value;
      if (fn instanceof FunctionValue && fn.name === "") fn.name = toKey(m, f.stack[f.stack.length - 2] as Value);
    },
  ],
  [
    Op.Return,
    (m, f) => {
      const value = pop(f);
      returnFrom(m, f, value, popLabel(m, f));
    },
  ],
  [
    Op.Await,
    (m, f) => {
      const value = pop(f);
      suspend(m, f, value, popLabel(m, f));
    },
  ],
];

function call(m: Machine, f: Frame, count: number, method: boolean): void {
  const args = take(f, count);
  const argLabels = takeLabels(m, f, count);
  invoke(m, f, args, argLabels, method, 0);
}

function callSpread(m: Machine, f: Frame, method: boolean): void {
  const { args, labels, count } = takeArray(m, f);
  invoke(m, f, args, labels, method, count);
}

function invoke(m: Machine, f: Frame, args: Value[], argLabels: number[], method: boolean, count: number): void {
  const fn = pop(f);
  const fnLabel = popLabel(m, f);
  const self = method ? pop(f) : undefined;
  const selfLabel = method ? popLabel(m, f) : 0;
  m.touched = fnLabel;
  if (!isCallable(fn)) explainNotCallable(m, f, self, fn);
  // A method of the language that was found in a labelled object is known anyway; one that a label chose decides what happens.
  const isBuiltIn = method && fn instanceof NativeValue;
  const chosen = isBuiltIn ? fnLabel & ~selfLabel : fnLabel;
  if (chosen !== 0) {
    if (isBuiltIn) joinOtherMethods(m, self, args, chosen | f.context);
    else joinOthers(m, fn, self, args, chosen | f.context);
  }
  callValue(m, fn, self, args, m.tracked ? { fn: chosen, self: selfLabel, args: argLabels, count } : noCallLabels);
}

function takeArray(m: Machine, f: Frame): { args: Value[]; labels: number[]; count: number } {
  const array = pop(f) as ArrayValue;
  const label = popLabel(m, f);
  if (array.items.length > 100_000) m.fail("RangeError", "A call cannot have more than 100,000 arguments. Use a loop or reduce.");
  if (!m.tracked) return { args: array.items, labels: [], count: 0 };
  const whole = label | array.shape | array.all;
  if (whole !== 0) for (const item of array.items) readMember(m, array, item, true);
  return { args: array.items, labels: array.items.map((_, index) => (array.labels?.[index] ?? 0) | whole), count: whole };
}

function construct(m: Machine, f: Frame, args: Value[], argLabels: number[], count: number): void {
  const fn = pop(f);
  const fnLabel = popLabel(m, f);
  m.touched = fnLabel;
  if (!isCallable(fn)) explainNotCallable(m, f, undefined, fn, true);
  if (fnLabel !== 0) joinOthers(m, fn, undefined, args, fnLabel | f.context);
  const labels: Labels = m.tracked ? { fn: fnLabel, self: 0, args: argLabels, count } : noCallLabels;
  constructValue(m, fn, args, labels, fn);
}

function superCall(m: Machine, f: Frame, args: Value[], argLabels: number[], count: number): void {
  const parent = f.func?.cls?.parent;
  if (!isCallable(parent)) m.fail("TypeError", "The class that is extended is not a constructor.");
  constructValue(m, parent, args, m.tracked ? { fn: 0, self: 0, args: argLabels, count } : noCallLabels, f.newTarget);
}

function makeClass(m: Machine, f: Frame): void {
  const code = f.unit.functions[operand(f)] as FunctionCode;
  const hasParent = operand(f) === 1;
  const cls = new FunctionValue(f.unit, code, f.env, undefined);
  let parent: Value;
  let label = 0;
  if (hasParent) {
    parent = pop(f);
    label = popLabel(m, f);
    m.touched = label;
    const good =
      (parent instanceof FunctionValue && !parent.code.arrow && !parent.code.async && parent.code.role !== "method") ||
      (parent instanceof NativeValue && canExtend.has(parent.name));
    if (!good) m.fail("TypeError", "A class can extend another class of the program, or Error.");
    let levels = 0;
    for (let at: Value = parent; at instanceof FunctionValue; at = at.cls?.parent)
      if (++levels > maximumLevels)
        m.fail("RangeError", `Classes can extend each other at most ${maximumLevels} levels deep. Put their members into fewer classes.`);
  }
  cls.cls = { parent, methods: new Map(), fields: undefined, fieldKeys: [], staticFieldKeys: [] };
  m.allocate(sizes.cls);
  cls.home = cls;
  push(m, f, cls, label);
}

/** What a class extends, and how its members are named, is told by whatever is done with it: the class itself carries the label. */
function tellsOfClass(m: Machine, f: Frame, label: number): void {
  if (label !== 0 && m.tracked) f.stackLabels[f.stackLabels.length - 1] = (f.stackLabels.at(-1) as number) | label;
}

/** An object of more could not be made: each constructor is a level of calls. */
const maximumLevels = 200;

const canExtend = new Set([
  "Error",
  "TypeError",
  "RangeError",
  "SyntaxError",
  "ReferenceError",
  "URIError",
  "EvalError",
  "AggregateError",
  "ToolError",
  "Array",
  "Map",
  "Set",
  "Date",
  "RegExp",
  "Object",
]);
