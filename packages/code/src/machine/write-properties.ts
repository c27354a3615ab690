import type { Machine } from "./machine.ts";
import type { Mutation } from "../labels/effect.ts";
import { taintOthers } from "./effects.ts";
import { setItemLabel } from "./item-labels.ts";
import { raiseForThrow } from "./raise.ts";
import { mayHold, mightBe } from "./reach.ts";
import { taintObject } from "./taint.ts";
import { refuse, toIndex } from "./properties.ts";
import { toNumber } from "./convert.ts";
import { ArrayValue, FunctionValue, isObject, ObjectValue, RegExpValue, ToolsValue, type GuestObject, type Value } from "./values.ts";
import { sizes } from "./sizes.ts";

/** How far past its end an array may be written. */
const maximumGap = 1_000;

/**
 * Before an object is written: what the reference might have led to instead takes the label of what chose it, and what follows tells whether the
 * object was frozen.
 */
export function beforeWrite(m: Machine, base: GuestObject, write: Mutation, where: number, context: number): void {
  if (!m.tracked) return;
  if (where !== 0) taintOthers(m, base, write, where | context);
  const by = (base.hints?.frozenBy ?? 0) | (where !== 0 && m.mayFreeze ? where : 0);
  if (by === 0) return;
  m.touched |= by;
  taintObject(base, write, by);
  if (m.frame !== undefined) raiseForThrow(m.frame, by);
}

/** A value is replaced or taken out of an object where a label decided so: it might still be there. */
export function replaceValue(m: Machine, base: GuestObject, before: Value, value: Value, where = 0): void {
  if (where !== 0) mayHold(m, base, value);
  mayHold(m, base, before);
  mightBe(m, value, before);
}

/**
 * Writes a property. `label` is that of the value and of the context; `where` that of the reference and the key, which tells which slot of which
 * object was written.
 */
export function setProperty(m: Machine, base: Value, key: string, value: Value, label: number, where: number, context: number): void {
  if (base instanceof ObjectValue) {
    if (key === "__proto__") refuse(m, key);
    beforeWrite(m, base, { key }, where, context);
    if (base.frozen) readOnly(m, key);
    setSlot(m, base, key, value, label | (base.hints?.frozenBy ?? 0), where, context);
    return;
  }
  if (base instanceof ArrayValue) {
    const index = toIndex(key);
    if (index !== -1) setItem(m, base, index, value, label, where, context);
    else if (key === "length") setLength(m, base, value, label | where, where, context);
    else if (key === "__proto__") refuse(m, key);
    else {
      beforeWrite(m, base, { key }, where, context);
      if (base.frozen) readOnly(m, key);
      base.extra ??= new ObjectValue();
      if (!base.extra.slots.has(key)) base.shape |= context;
      base.shape |= where;
      base.all |= where;
      setSlot(m, base.extra, key, value, label | (base.hints?.frozenBy ?? 0), where, context);
    }
    return;
  }
  if (base instanceof FunctionValue && !base.unit.builtin) {
    if (key === "prototype" || key === "__proto__" || key === "constructor") refuse(m, key);
    beforeWrite(m, base, { key }, where, context);
    if (key === "name" || key === "length" || base.frozen) readOnly(m, key);
    base.slots ??= new Map();
    if (m.tracked && (context | where) !== 0) replaceValue(m, base, base.slots.get(key), value);
    if (!base.slots.has(key)) base.shape |= context | where;
    base.slots.set(key, value);
    if (m.tracked) {
      if (isObject(value)) m.noteStore(base, key);
      base.labels ??= new Map();
      base.labels.set(key, label);
      base.all |= where;
    }
    m.allocate(sizes.slot + key.length * 2);
    return;
  }
  if (base instanceof RegExpValue && key === "lastIndex") {
    beforeWrite(m, base, { key }, where, context);
    base.lastIndex = value;
    base.label = label | where;
    return;
  }
  if (base === undefined || base === null) m.fail("TypeError", `cannot set "${key}" of ${base === null ? "null" : "undefined"}`);
  if (base instanceof ToolsValue) m.fail("TypeError", `Tools cannot be replaced: "${key}" is read-only. Use a variable of another name.`);
  if (isObject(base)) m.fail("TypeError", `"${key}" cannot be set on this kind of object. Use a plain object or a Map.`);
  m.fail("TypeError", `"${key}" cannot be set on a ${typeof base}. Only objects have properties that can be set.`);
}

function setSlot(m: Machine, base: ObjectValue, key: string, value: Value, label: number, where: number, context: number): void {
  const known = base.slots.has(key);
  if (!known) m.allocate(sizes.slot + key.length * 2);
  if (m.tracked && (context | where) !== 0) replaceValue(m, base, base.slots.get(key), value, where);
  base.slots.set(key, value);
  if (!m.tracked) return;
  if (isObject(value)) m.noteStore(base, key);
  if (!known) base.shape |= context | where;
  base.all |= where;
  if (label !== 0) {
    base.labels ??= new Map();
    base.labels.set(key, label);
  } else if (base.labels !== undefined) base.labels.delete(key);
}

/** A new slot of an object that is just being made. */
export function defineSlot(m: Machine, base: ObjectValue, key: string, value: Value, label: number, where: number, context: number): void {
  if (key === "__proto__") refuse(m, key);
  if (base.frozen) readOnly(m, key);
  setSlot(m, base, key, value, label, where, context);
}

export function setItem(m: Machine, base: ArrayValue, index: number, value: Value, label: number, where: number, context: number): void {
  beforeWrite(m, base, { key: String(index) }, where, context);
  if (base.frozen) readOnly(m, String(index));
  const { length } = base.items;
  if (index >= length) {
    if (index > length + maximumGap) {
      m.fail(
        "RangeError",
        `Index ${index} is more than ${maximumGap} past the end of the array (${length}). Arrays have no holes: use an object or a Map.`,
      );
    }
    m.allocate(16 * (index - length + 1));
    // What is filled up stands where another length would have had items.
    for (let at = length; at < index; at++) {
      base.items.push(undefined);
      if (base.shape !== 0) setItemLabel(base, at, base.shape);
    }
    base.shape |= context;
  }
  // Another index, or another list, might have been longer afterwards.
  base.shape |= where;
  if (m.tracked && (context | where) !== 0) replaceValue(m, base, base.items[index], value, where);
  base.items[index] = value;
  if (!m.tracked) return;
  if (isObject(value)) m.noteStore(base);
  base.all |= where;
  const joined = label | (base.hints?.frozenBy ?? 0);
  if (joined !== 0 || base.labels !== undefined) setItemLabel(base, index, joined);
}

function setLength(m: Machine, base: ArrayValue, value: Value, label: number, where: number, context: number): void {
  beforeWrite(m, base, {}, where, context);
  if (base.frozen) readOnly(m, "length");
  const length = toNumber(m, value);
  if (!Number.isInteger(length) || length < 0 || length >= 2 ** 32) m.fail("RangeError", "Invalid array length");
  if (length > base.items.length + maximumGap) {
    m.fail("RangeError", `An array cannot grow by more than ${maximumGap} at once by its length. Use push, or new Array(n).fill(0).`);
  }
  const before = base.items.length;
  m.allocate(16 * Math.max(0, length - before));
  m.charge(Math.max(0, length - before) >> 4);
  if (m.tracked && label !== 0) for (const item of base.items.slice(length)) mayHold(m, base, item);
  base.items.length = Math.min(length, before);
  for (let at = before; at < length; at++) base.items.push(undefined);
  if (base.labels !== undefined && base.labels.length > length) base.labels.length = length;
  // What is cut off or filled up depends on the length before.
  if (base.shape !== 0) base.all |= base.shape;
  base.shape |= label;
  base.all |= label;
}

export function readOnly(m: Machine, key: string): never {
  return m.fail("TypeError", `Cannot change "${key}": the object is frozen. Copy it first: { ...object } or [...array].`);
}

export function deleteProperty(m: Machine, base: Value, key: string, where: number, context: number): boolean {
  if (base instanceof ObjectValue) {
    beforeWrite(m, base, { key, removes: true }, where, context);
    if (base.frozen) readOnly(m, key);
    if (m.tracked && (context | where) !== 0) mayHold(m, base, base.slots.get(key));
    base.shape |= context | where | (base.hints?.frozenBy ?? 0);
    base.all |= where;
    base.slots.delete(key);
    base.labels?.delete(key);
    return true;
  }
  if (base instanceof ArrayValue) {
    const index = toIndex(key);
    beforeWrite(m, base, index === -1 ? { key, removes: true } : { key }, where, context);
    if (base.frozen) readOnly(m, key);
    if (key === "length") m.fail("TypeError", "Cannot delete the length of an array.");
    base.all |= where;
    if (index !== -1 && index < base.items.length) setItem(m, base, index, undefined, context, where, context);
    else if (base.extra !== undefined) deleteProperty(m, base.extra, key, where, context);
    return true;
  }
  if (base instanceof FunctionValue && !base.unit.builtin) {
    beforeWrite(m, base, { key, removes: true }, where, context);
    if (base.frozen) readOnly(m, key);
    base.shape |= context | where;
    base.slots?.delete(key);
    return true;
  }
  if (base === undefined || base === null) m.fail("TypeError", `cannot delete "${key}" of ${base === null ? "null" : "undefined"}`);
  if (isObject(base)) m.fail("TypeError", `"${key}" cannot be deleted from this kind of object.`);
  return true;
}
