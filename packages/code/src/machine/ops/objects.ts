import { Op } from "../../compile/ops.ts";
import { appendIterable } from "../iterate.ts";
import { toKey } from "../convert.ts";
import { sortedKeys } from "../keys.ts";
import type { Machine } from "../machine.ts";
import { copiedFrom, mayHold } from "../reach.ts";
import { ArrayValue, FunctionValue, isObject, ObjectValue, type Value } from "../values.ts";
import { appendItem, mayBeLaidOver } from "../item-labels.ts";
import { defineSlot, setProperty } from "../write-properties.ts";
import { operand, pooled, pop, popLabel, push, take, takeLabels, type Handlers } from "./handler.ts";
import { sizes } from "../sizes.ts";

export const objectHandlers: Handlers = [
  [
    Op.NewObject,
    (m, f) => {
      m.allocate(sizes.object);
      push(m, f, new ObjectValue(), 0);
    },
  ],
  [
    Op.Define,
    (m, f) => {
      const key = pooled(f);
      const value = pop(f);
      const label = popLabel(m, f);
      defineSlot(m, f.stack[f.stack.length - 1] as ObjectValue, key, value, label, 0, 0);
    },
  ],
  [
    Op.DefineElement,
    (m, f) => {
      const value = pop(f);
      const key = toKey(m, pop(f));
      const label = popLabel(m, f);
      const where = popLabel(m, f);
      const base = f.stack[f.stack.length - 1] as Value;
      m.touched = label | where;
      if (base instanceof ObjectValue) {
        mayBeLaidOver(base, where);
        if (where !== 0) mayHold(m, base, value);
        defineSlot(m, base, key, value, label, 0, where);
        if (where !== 0 && base.labels?.get(key) !== label) (base.labels ??= new Map()).set(key, label | where);
      } else setProperty(m, base, key, value, label, where, f.context);
    },
  ],
  [
    Op.SpreadObject,
    (m, f) => {
      const from = pop(f);
      const label = popLabel(m, f);
      m.beginWork();
      spreadInto(m, f.stack[f.stack.length - 1] as ObjectValue, from, label);
      m.endWork();
    },
  ],
  [
    Op.RestObject,
    (m, f) => {
      const count = operand(f);
      const taken = new Set(take(f, count).map((key) => toKey(m, key)));
      const byKeys = takeLabels(m, f, count).reduce((joined, label) => joined | label, 0);
      const from = pop(f);
      const label = popLabel(m, f) | byKeys;
      const rest = new ObjectValue();
      m.allocate(sizes.object);
      m.beginWork();
      spreadInto(m, rest, from, label, taken);
      m.endWork();
      push(m, f, rest, label);
    },
  ],
  [
    Op.NewArray,
    (m, f) => {
      const count = operand(f);
      m.allocate(sizes.array + 16 * count);
      const array = new ArrayValue(take(f, count));
      if (m.tracked) {
        const labels = takeLabels(m, f, count);
        if (labels.some((label) => label !== 0)) array.labels = labels;
      }
      push(m, f, array, 0);
    },
  ],
  [
    Op.Append,
    (m, f) => {
      const value = pop(f);
      const label = popLabel(m, f);
      const array = f.stack[f.stack.length - 1] as ArrayValue;
      m.allocate(16);
      if (m.tracked) appendItem(array, value, label);
      else array.items.push(value);
    },
  ],
  [
    Op.SpreadArray,
    (m, f) => {
      const from = pop(f);
      const label = popLabel(m, f);
      m.touched = label;
      m.beginWork();
      appendIterable(m, f.stack[f.stack.length - 1] as ArrayValue, from, label);
      m.endWork();
    },
  ],
];

/** Copies what `...from` copies: own listed keys. */
export function spreadInto(m: Machine, into: ObjectValue, from: Value, label: number, without?: ReadonlySet<string>): void {
  if (m.tracked) {
    copiedFrom(m, into, from, label);
    const keys = label | (isObject(from) ? from.shape | from.all : 0);
    into.shape |= keys;
    mayBeLaidOver(into, keys);
  }
  if (from instanceof ObjectValue) {
    m.charge(from.slots.size);
    for (const key of sortedKeys(from)) {
      if (without?.has(key) === true) continue;
      defineSlot(m, into, key, from.slots.get(key), (from.labels?.get(key) ?? 0) | from.all | label, 0, 0);
    }
  } else if (from instanceof ArrayValue) {
    m.charge(from.items.length);
    from.items.forEach((item, index) => {
      if (without?.has(String(index)) !== true)
        defineSlot(m, into, String(index), item, (from.labels?.[index] ?? 0) | from.all | label, 0, 0);
    });
  } else if (typeof from === "string") {
    m.charge(from.length);
    for (let index = 0; index < from.length; index++) {
      if (without?.has(String(index)) !== true) defineSlot(m, into, String(index), from[index], label, 0, 0);
    }
  } else if (from instanceof FunctionValue) {
    for (const [key, value] of from.slots ?? []) defineSlot(m, into, key, value, (from.labels?.get(key) ?? 0) | label, 0, 0);
  }
}
