import { filled } from "../lists.ts";
import { toKey } from "../machine/convert.ts";
import { iteratorOf, nextOf } from "../machine/iterate.ts";
import { listedKeys } from "../machine/keys.ts";
import type { Machine } from "../machine/machine.ts";
import { spreadInto } from "../machine/ops/objects.ts";
import { getProperty } from "../machine/properties.ts";
import {
  ArrayValue,
  FunctionValue,
  GuestObject,
  isObject,
  MapValue,
  NativeValue,
  ObjectValue,
  ToolsValue,
  unset,
  type Value,
} from "../machine/values.ts";
import { taintOthers } from "../machine/effects.ts";
import { allBelow, copiedFrom, hintsOf, readMember } from "../machine/reach.ts";
import { mayBeLaidOver } from "../machine/item-labels.ts";
import { beforeWrite, defineSlot, setProperty } from "../machine/write-properties.ts";
import { argLabel, contextOf, inPrelude, native, type Library } from "./define.ts";
import { newArray } from "./arrays.ts";
import { toPrimitive } from "../machine/convert.ts";
import { sizes } from "../machine/sizes.ts";

function listed(m: Machine, value: Value): string[] {
  if (value === undefined || value === null)
    m.fail("TypeError", `Cannot list the keys of ${value === null ? "null" : "undefined"}. Check it first, or use ?? {}.`);
  if (isObject(value)) m.touched |= value.shape | value.all;
  return listedKeys(m, value);
}

/** Values with the labels of their slots. */
function slots(m: Machine, value: Value, make: (key: string, item: Value, label: number) => Value, whole: boolean): ArrayValue {
  const reference = m.touched;
  const keys = listed(m, value);
  const shape = m.touched;
  const made = new ArrayValue([]);
  m.allocate(sizes.array + 16 * keys.length);
  made.shape = shape;
  for (const key of keys) {
    m.touched = 0;
    const item = getProperty(m, value, key);
    // Which value stands where tells of all keys.
    const label = m.touched | shape;
    if (label !== 0) readMember(m, value, item, shape !== 0);
    made.items.push(make(key, item, label));
    if (m.tracked && (label !== 0 || shape !== 0 || made.labels !== undefined))
      (made.labels ??= filled<number>(made.items.length - 1, 0))[made.items.length - 1] = whole ? label : 0;
  }
  m.touched = reference;
  return made;
}

export const objectLibrary: Library = {
  functions: [
    {
      name: "Object",
      length: 1,
      call: (m, _self, [value]) => (value === undefined || value === null ? empty(m) : value),
      construct: (m, _args, newTarget) =>
        newTarget instanceof FunctionValue ? empty(m) : m.fail("TypeError", "new Object() is not supported. Write {}."),
    },
    native("Object.keys", 1, (m, _self, [value]) => {
      const keys = listed(m, value);
      return newArray(m, keys, m.touched);
    }),
    native("Object.values", 1, (m, _self, [value]) => slots(m, value, (_key, item) => item, true)),
    native("Object.entries", 1, (m, _self, [value]) => {
      const shape = isObject(value) ? value.shape | value.all : 0;
      return slots(
        m,
        value,
        (key, item, label) => {
          const pair = newArray(m, [key, item]);
          if (m.tracked && (label | shape) !== 0) pair.labels = [shape, label];
          return pair;
        },
        false,
      );
    }),
    native("Object.assign", 2, (m, _self, [target, ...sources]) => {
      if (!isObject(target)) return m.fail("TypeError", "Object.assign needs an object as its first argument.");
      const context = contextOf(m) | argLabel(m, 0);
      beforeWrite(m, target, {}, argLabel(m, 0), contextOf(m));
      sources.forEach((source, index) => {
        if (source === undefined || source === null) return;
        if (target instanceof ObjectValue && !target.frozen && context === 0) return spreadInto(m, target, source, argLabel(m, index + 1));
        const label = argLabel(m, index + 1) | context;
        if (m.tracked && isObject(source)) mayBeLaidOver(target, source.shape | source.all | label);
        for (const key of listed(m, source)) {
          m.touched = 0;
          const value = getProperty(m, source, key);
          setProperty(m, target, key, value, m.touched | label, 0, label);
        }
      });
      m.touched = argLabel(m, 0);
      return target;
    }),
    native("Object.fromEntries", 1, (m, _self, [entries]) => {
      const made = empty(m);
      const iterator = iteratorOf(m, entries, argLabel(m, 0));
      for (;;) {
        m.touched = 0;
        const entry = nextOf(m, iterator);
        made.shape |= m.touched;
        if (entry === unset) break;
        m.charge(1);
        const label = m.touched;
        if (!isObject(entry)) m.fail("TypeError", "Object.fromEntries needs a list of [key, value] pairs.");
        const key = toKey(m, getProperty(m, entry, "0"));
        made.shape |= m.touched;
        m.touched = label;
        const value = getProperty(m, entry, "1");
        defineSlot(m, made, key, value, m.touched, 0, 0);
      }
      if (m.tracked && entries instanceof ArrayValue) made.shape |= entries.shape | entries.all;
      copiedFrom(m, made, entries, made.shape, allBelow);
      mayBeLaidOver(made, made.shape);
      m.touched = argLabel(m, 0);
      return made;
    }),
    native("Object.hasOwn", 2, (m, _self, [object, key]) => hasOwn(m, object, key)),
    native("Object.is", 2, (m, _self, [a, b]) => {
      if (typeof a === "string" && typeof b === "string" && a.length === b.length) m.compared(a.length);
      return Object.is(a, b);
    }),
    native("Object.freeze", 1, (m, _self, [value]) => {
      if (isObject(value)) {
        value.frozen = true;
        if (m.tracked && (contextOf(m) | argLabel(m, 0)) !== 0) {
          hintsOf(value).frozenBy |= contextOf(m) | argLabel(m, 0);
          taintOthers(m, value, { freezes: true }, contextOf(m) | argLabel(m, 0));
        }
      }
      return value;
    }),
    native("Object.isFrozen", 1, (m, _self, [value]) => {
      if (!isObject(value)) return true;
      m.touched |= value.hints?.frozenBy ?? 0;
      return value.frozen && !(value instanceof NativeValue);
    }),
    inPrelude("Object.groupBy", 2, "Object_groupBy"),
    native("Object.prototype.hasOwnProperty", 1, (m, self, [key]) => hasOwn(m, self, key)),
    native("Object.prototype.propertyIsEnumerable", 1, (m, self, [key]) => hasOwn(m, self, key)),
    native("Object.prototype.toString", 0, (m, self) => String(toPrimitive(m, self, "string"))),
    native("Object.prototype.toLocaleString", 0, (m, self) => String(toPrimitive(m, self, "string"))),
    native("Object.prototype.valueOf", 0, (_m, self) => self),
  ],
};

function empty(m: Machine): ObjectValue {
  m.allocate(sizes.object);
  return new ObjectValue();
}

function hasOwn(m: Machine, object: Value, key: Value): boolean {
  if (object === undefined || object === null) m.fail("TypeError", `Cannot look for a key in ${object === null ? "null" : "undefined"}.`);
  const name = toKey(m, key);
  if (object instanceof GuestObject) m.touched |= object.shape | object.all;
  if (object instanceof ObjectValue) return object.slots.has(name);
  if (object instanceof ArrayValue)
    return name === "length" || (/^\d+$/.test(name) && Number(name) < object.items.length) || object.extra?.slots.has(name) === true;
  if (object instanceof FunctionValue) return object.slots?.has(name) === true || name === "name" || name === "length";
  if (object instanceof NativeValue) return m.natives.statics.get(object.name)?.has(name) === true || name === "name" || name === "length";
  if (object instanceof ToolsValue) return m.toolNames.includes(name);
  if (object instanceof MapValue) return false;
  return typeof object === "string" && (name === "length" || (/^\d+$/.test(name) && Number(name) < object.length));
}
