import { Op } from "../../compile/ops.ts";
import { extendsClass } from "../classes.ts";
import { looselyEqual, toKey, toNumber, toPrimitive, typeOf } from "../convert.ts";
import type { Frame } from "../values.ts";
import type { Machine } from "../machine.ts";
import { toIndex } from "../properties.ts";
import {
  ArrayValue,
  DateValue,
  FunctionValue,
  isCallable,
  isObject,
  MapValue,
  NativeValue,
  ObjectValue,
  PromiseValue,
  RegExpValue,
  ToolsValue,
  type Value,
} from "../values.ts";
import { globalLabel, globalValue } from "./names.ts";
import { operand, pop, popLabel, push, type Handler, type Handlers } from "./handler.ts";

/** Two operands; numbers, the usual case, are quick. */
function binary(fast: (a: number, b: number) => Value, slow: (m: Machine, a: Value, b: Value) => Value): Handler {
  return (m, f) => {
    const { stack } = f;
    const b = stack.pop() as Value;
    const top = stack.length - 1;
    const a = stack[top] as Value;
    if (typeof a === "number" && typeof b === "number") {
      stack[top] = fast(a, b);
      if (m.tracked) joinTop(f, 0);
      return;
    }
    m.touched = m.tracked ? (f.stackLabels[top] as number) | (f.stackLabels[top + 1] as number) : 0;
    stack[top] = slow(m, a, b);
    if (m.tracked) joinTop(f, m.touched);
  };
}

function joinTop(f: Frame, more: number): void {
  const label = f.stackLabels.pop() as number;
  f.stackLabels[f.stackLabels.length - 1] = (f.stackLabels[f.stackLabels.length - 1] as number) | label | more;
}

function numeric(run: (a: number, b: number) => number): Handler {
  return binary(run, (m, a, b) => {
    const left = toNumber(m, a);
    return run(left, toNumber(m, b));
  });
}

function compare(run: (a: number | string, b: number | string) => boolean): Handler {
  return binary(run, (m, a, b) => {
    const left = toPrimitive(m, a, "number");
    const right = toPrimitive(m, b, "number");
    if (typeof left === "string" && typeof right === "string") {
      m.compared(Math.min(left.length, right.length));
      return run(left, right);
    }
    return run(Number(left), Number(right));
  });
}

function same(negated: boolean): Handler {
  return (m, f) => {
    const b = f.stack.pop();
    const top = f.stack.length - 1;
    const a = f.stack[top];
    if (typeof b === "string" && b.length > 256 && typeof a === "string" && a.length === b.length) m.compared(a.length);
    f.stack[top] = (a === b) !== negated;
    if (m.tracked) joinTop(f, 0);
  };
}

function unary(run: (m: Machine, value: Value) => Value): Handler {
  return (m, f) => {
    const top = f.stack.length - 1;
    m.touched = m.tracked ? (f.stackLabels[top] as number) : 0;
    f.stack[top] = run(m, f.stack[top] as Value);
    if (m.tracked) f.stackLabels[top] = m.touched;
  };
}

export const operatorHandlers: Handlers = [
  [Op.Add, binary((a, b) => a + b, add)],
  [Op.Subtract, numeric((a, b) => a - b)],
  [Op.Multiply, numeric((a, b) => a * b)],
  [Op.Divide, numeric((a, b) => a / b)],
  [Op.Remainder, numeric((a, b) => a % b)],
  [Op.Power, numeric((a, b) => a ** b)],
  [Op.BitAnd, numeric((a, b) => a & b)],
  [Op.BitOr, numeric((a, b) => a | b)],
  [Op.BitXor, numeric((a, b) => a ^ b)],
  [Op.ShiftLeft, numeric((a, b) => a << b)],
  [Op.ShiftRight, numeric((a, b) => a >> b)],
  [Op.ShiftRightUnsigned, numeric((a, b) => a >>> b)],
  [Op.Less, compare((a, b) => a < b)],
  [Op.LessEqual, compare((a, b) => a <= b)],
  [Op.Greater, compare((a, b) => a > b)],
  [Op.GreaterEqual, compare((a, b) => a >= b)],
  [Op.Same, same(false)],
  [Op.NotSame, same(true)],
  [
    Op.Equal,
    binary(
      (a, b) => a === b,
      (m, a, b) => looselyEqual(m, a, b),
    ),
  ],
  [
    Op.NotEqual,
    binary(
      (a, b) => a !== b,
      (m, a, b) => !looselyEqual(m, a, b),
    ),
  ],
  [Op.Not, unary((_m, value) => !value)],
  [Op.Negate, unary((m, value) => -toNumber(m, value))],
  [Op.Plus, unary(toNumber)],
  [Op.ToNumeric, unary(toNumber)],
  [Op.BitNot, unary((m, value) => ~toNumber(m, value))],
  [Op.Increment, unary((m, value) => toNumber(m, value) + 1)],
  [Op.Decrement, unary((m, value) => toNumber(m, value) - 1)],
  [
    Op.TypeOf,
    (m, f) => {
      const name = operand(f);
      if (name !== -1) {
        const text = f.unit.pool[name] as string;
        return push(m, f, typeOf(globalValue(m, f, text)), globalLabel(m, f, text));
      }
      f.stack.push(typeOf(pop(f)));
    },
  ],
  [
    Op.In,
    (m, f) => {
      const base = pop(f);
      const key = pop(f);
      m.touched = popLabel(m, f) | popLabel(m, f);
      push(m, f, hasProperty(m, base, toKey(m, key)), m.touched);
    },
  ],
  [
    Op.InstanceOf,
    (m, f) => {
      const cls = pop(f);
      const value = pop(f);
      m.touched = popLabel(m, f) | popLabel(m, f);
      if (!isCallable(cls)) m.fail("TypeError", "The right side of instanceof is not a class.");
      push(m, f, isInstance(value, cls), m.touched);
    },
  ],
];

function add(m: Machine, a: Value, b: Value): Value {
  const left = toPrimitive(m, a, "default");
  const right = toPrimitive(m, b, "default");
  if (typeof left === "string" || typeof right === "string") {
    const x = String(left);
    const y = String(right);
    m.allocate(24 + 2 * (x.length + y.length));
    m.joined(x.length + y.length);
    return x + y;
  }
  return Number(left) + Number(right);
}

function hasProperty(m: Machine, base: Value, key: string): boolean {
  if (!isObject(base))
    m.fail("TypeError", `"in" needs an object on its right side, not ${base === null ? "null" : `a value of type ${typeof base}`}.`);
  m.touched |= base.shape | base.all;
  if (base instanceof ObjectValue)
    return base.slots.has(key) || (base.cls instanceof FunctionValue && base.cls.cls?.methods.has(key) === true);
  if (base instanceof ArrayValue) {
    const index = toIndex(key);
    return index === -1
      ? key === "length" || base.extra?.slots.has(key) === true || m.natives.methods.get("Array")?.has(key) === true
      : index < base.items.length;
  }
  if (base instanceof FunctionValue) return base.slots?.has(key) === true;
  if (base instanceof ToolsValue) return m.toolNames.includes(key);
  if (base instanceof NativeValue) return m.natives.statics.get(base.name)?.has(key) === true;
  if (base instanceof MapValue) return m.natives.methods.get(base.isSet ? "Set" : "Map")?.has(key) === true;
  return false;
}

export function isInstance(value: Value, cls: Value): boolean {
  if (!isObject(value)) return false;
  if (value instanceof ObjectValue) {
    if (extendsClass(value.cls, cls)) return true;
    return cls instanceof NativeValue && cls.name === "Object";
  }
  const own = (value as { cls?: Value }).cls;
  if (own instanceof FunctionValue && !(value instanceof FunctionValue) && extendsClass(own, cls)) return true;
  if (!(cls instanceof NativeValue)) return false;
  if (cls.name === "Object") return true;
  if (value instanceof ArrayValue) return cls.name === "Array";
  if (value instanceof MapValue) return cls.name === (value.isSet ? "Set" : "Map");
  if (value instanceof DateValue) return cls.name === "Date";
  if (value instanceof RegExpValue) return cls.name === "RegExp";
  return value instanceof PromiseValue ? cls.name === "Promise" : false;
}
