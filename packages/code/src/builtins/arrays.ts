import { filled } from "../lists.ts";
import { toInteger, toText, touchArray } from "../machine/convert.ts";
import { appendIterable } from "../machine/iterate.ts";
import type { Machine } from "../machine/machine.ts";
import { ArrayValue, isObject, IteratorValue, type Value } from "../machine/values.ts";
import { taintOthers } from "../machine/effects.ts";
import { appendItem, setItemLabel } from "../machine/item-labels.ts";
import { allBelow, copiedFrom, mayHold, readMember } from "../machine/reach.ts";
import { beforeWrite, readOnly } from "../machine/write-properties.ts";
import { argLabel, contextOf, inPrelude, native, type Library } from "./define.ts";
import { joinItems } from "../machine/convert.ts";
import { sortPlain } from "./sort.ts";
import { sizes } from "../machine/sizes.ts";

/** The receiver of an array method. */
export function arrayOf(m: Machine, self: Value): ArrayValue {
  if (!(self instanceof ArrayValue)) m.fail("TypeError", "This method needs an array. Call it as array.method(…).");
  return self;
}

function writable(m: Machine, self: Value): ArrayValue {
  const array = arrayOf(m, self);
  beforeWrite(m, array, {}, 0, 0);
  if (array.frozen) readOnly(m, "an array");
  return array;
}

/** Items that are taken out where a label decided so might still be there. */
function takenOut(m: Machine, array: ArrayValue, items: readonly Value[]): void {
  if (m.tracked && (m.selfLabel | contextOf(m) | argLabel(m, 0) | argLabel(m, 1)) !== 0) for (const item of items) mayHold(m, array, item);
}

/** What is counted from the end depends on the length. */
function fromEnd(m: Machine, array: ArrayValue, ...positions: Value[]): void {
  if (m.tracked && array.shape !== 0 && positions.some((at) => typeof at === "number" && at < 0)) m.touched |= array.shape;
}

/** -1 counts from the end; the result is within the array. */
export function clampIndex(m: Machine, value: Value, length: number, otherwise: number): number {
  if (value === undefined) return otherwise;
  const index = toInteger(m, value);
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length);
}

/** A new array with the labels of a part of another. */
export function sliceOf(m: Machine, from: ArrayValue, start: number, end: number): ArrayValue {
  const count = Math.max(0, end - start);
  m.allocate(sizes.array + 16 * count);
  m.charge(count >> 2);
  const made = new ArrayValue(from.items.slice(start, end));
  if (m.tracked) {
    made.shape = from.shape | from.all | m.touched;
    copiedFrom(m, made, from, made.shape);
    if (from.labels !== undefined || from.all !== 0)
      made.labels = made.items.map((_, index) => (from.labels?.[start + index] ?? 0) | from.all);
  }
  return made;
}

export function newArray(m: Machine, items: Value[], label = 0): ArrayValue {
  m.allocate(sizes.array + 16 * items.length);
  m.charge(items.length >> 2);
  const made = new ArrayValue(items);
  if (m.tracked && label !== 0) {
    made.shape = label;
    made.labels = items.map(() => label);
  }
  return made;
}

/** A change of the length of an array that moves items; with `end`, counted from its end. */
function moved(m: Machine, array: ArrayValue, end = false): void {
  if (!m.tracked) return;
  const label = m.selfLabel | contextOf(m) | argLabel(m, 0) | argLabel(m, 1);
  if (end) array.all |= array.shape;
  array.shape |= label;
  array.all |= label;
}

function labelsOf(array: ArrayValue): number[] {
  array.labels ??= [];
  while (array.labels.length < array.items.length) array.labels.push(0);
  return array.labels;
}

export const arrayLibrary: Library = {
  functions: [
    {
      name: "Array",
      length: 1,
      call: makeArray,
      construct: makeArray,
    },
    native("Array.isArray", 1, (_m, _self, [value]) => value instanceof ArrayValue),
    native("Array.of", 0, (m, _self, args) => {
      const made = newArray(m, args.slice());
      if (m.tracked && m.argLabels.some((label) => label !== 0)) made.labels = [...m.argLabels];
      made.shape = m.countLabel;
      m.touched = 0;
      return made;
    }),
    inPrelude("Array.from", 1, "Array_from"),
    native("Array.prototype.push", 1, (m, self, args) => {
      const array = writable(m, self);
      m.allocate(16 * args.length);
      if (args.some(isObject)) m.noteStore(array);
      const context = contextOf(m) | m.selfLabel;
      args.forEach((value, index) => {
        if (m.tracked) appendItem(array, value, argLabel(m, index) | context);
        else array.items.push(value);
      });
      array.shape |= m.countLabel | (args.length > 0 ? context : 0);
      m.touched = m.selfLabel | array.shape;
      return array.items.length;
    }),
    native("Array.prototype.pop", 0, (m, self) => {
      const array = writable(m, self);
      moved(m, array, true);
      m.touched |= array.shape | array.all | (array.labels?.[array.items.length - 1] ?? 0);
      const value = array.items.pop();
      takenOut(m, array, [value]);
      if (m.touched !== 0) readMember(m, array, value, array.shape !== 0);
      if (array.labels !== undefined && array.labels.length > array.items.length) array.labels.length = array.items.length;
      return value;
    }),
    native("Array.prototype.shift", 0, (m, self) => {
      const array = writable(m, self);
      moved(m, array);
      m.charge(array.items.length >> 6);
      m.touched |= array.shape | array.all | (array.labels?.[0] ?? 0);
      array.labels?.shift();
      const value = array.items.shift();
      takenOut(m, array, [value]);
      if (m.touched !== 0) readMember(m, array, value, array.shape !== 0);
      return value;
    }),
    native("Array.prototype.unshift", 1, (m, self, args) => {
      const array = writable(m, self);
      if (m.tracked) {
        const context = contextOf(m) | m.selfLabel | m.countLabel;
        array.shape |= context;
        array.all |= context;
        if (array.labels !== undefined || m.argLabels.some((label) => label !== 0))
          array.labels = args.map((_, index) => argLabel(m, index)).concat(labelsOf(array));
      }
      m.allocate(16 * args.length);
      if (args.some(isObject)) m.noteStore(array);
      m.charge((array.items.length + args.length) >> 6);
      array.items = args.concat(array.items);
      m.touched = m.selfLabel | array.shape;
      return array.items.length;
    }),
    native("Array.prototype.splice", 2, splice),
    native("Array.prototype.slice", 2, (m, self, [start, end]) => {
      const array = arrayOf(m, self);
      const { length } = array.items;
      fromEnd(m, array, start, end);
      return sliceOf(m, array, clampIndex(m, start, length, 0), clampIndex(m, end, length, length));
    }),
    native("Array.prototype.concat", 1, (m, self, args) => {
      const made = sliceOf(m, arrayOf(m, self), 0, arrayOf(m, self).items.length);
      args.forEach((value, index) => {
        if (value instanceof ArrayValue) appendIterable(m, made, value, argLabel(m, index));
        else {
          m.allocate(16);
          appendItem(made, value, m.tracked ? argLabel(m, index) : 0);
        }
      });
      m.touched = m.selfLabel;
      return made;
    }),
    native("Array.prototype.join", 1, (m, self, [separator]) =>
      joinItems(m, arrayOf(m, self), separator === undefined ? "," : toText(m, separator)),
    ),
    native("Array.prototype.toString", 0, (m, self) => joinItems(m, arrayOf(m, self), ",")),
    native("Array.prototype.toLocaleString", 0, (m, self) => joinItems(m, arrayOf(m, self), ",")),
    native("Array.prototype.reverse", 0, (m, self) => {
      const array = writable(m, self);
      m.charge(array.items.length);
      moved(m, array, true);
      if (array.labels !== undefined) labelsOf(array).reverse();
      array.items.reverse();
      return array;
    }),
    native("Array.prototype.toReversed", 0, (m, self) => {
      const array = arrayOf(m, self);
      const made = sliceOf(m, array, 0, array.items.length);
      made.all |= made.shape;
      made.items.reverse();
      made.labels?.reverse();
      return made;
    }),
    native("Array.prototype.indexOf", 1, (m, self, args) => search(m, self, args, 1, false)),
    native("Array.prototype.includes", 1, (m, self, args) => search(m, self, args, 1, true) !== -1),
    native("Array.prototype.lastIndexOf", 1, (m, self, args) => search(m, self, args, -1, false)),
    native("Array.prototype.fill", 1, (m, self, [value, start, end]) => {
      const array = writable(m, self);
      const { length } = array.items;
      const from = clampIndex(m, start, length, 0);
      const to = clampIndex(m, end, length, length);
      m.charge(Math.max(0, to - from));
      if (m.tracked) takenOut(m, array, contextOf(m) === 0 && m.selfLabel === 0 ? [] : array.items.slice(from, to));
      array.items.fill(value, from, to);
      if (isObject(value)) m.noteStore(array);
      if (m.tracked) {
        const label = argLabel(m, 0) | contextOf(m) | m.selfLabel | array.shape;
        if (label !== 0 || array.labels !== undefined) labelsOf(array).fill(label, from, to);
        array.all |= argLabel(m, 1) | argLabel(m, 2);
        m.touched = m.selfLabel;
      }
      return array;
    }),
    native("Array.prototype.flat", 0, (m, self, [depth]) => {
      const made = new ArrayValue([]);
      m.allocate(sizes.array);
      flatten(m, made, arrayOf(m, self), depth === undefined ? 1 : toInteger(m, depth), m.touched);
      m.touched = m.selfLabel;
      return made;
    }),
    native("Array.prototype.at", 1, (m, self, [index]) => {
      const array = arrayOf(m, self);
      const at = toInteger(m, index);
      const position = at < 0 ? array.items.length + at : at;
      m.touched |= (array.labels?.[position] ?? 0) | array.all | (at < 0 || position >= array.items.length ? array.shape : 0);
      if (m.touched !== 0) readMember(m, array, array.items[position], argLabel(m, 0) !== 0 || at < 0);
      return array.items[position];
    }),
    native("Array.prototype.with", 2, (m, self, [index, value]) => {
      const array = arrayOf(m, self);
      const at = toInteger(m, index);
      const position = at < 0 ? array.items.length + at : at;
      if (position < 0 || position >= array.items.length) m.fail("RangeError", `Index ${at} is outside of the array.`);
      fromEnd(m, array, index);
      const made = sliceOf(m, array, 0, array.items.length);
      made.items[position] = value;
      if (m.tracked) setItemLabel(made, position, argLabel(m, 1));
      return made;
    }),
    native("Array.prototype.copyWithin", 2, (m, self, [target, start, end]) => {
      const array = writable(m, self);
      const { length } = array.items;
      const to = clampIndex(m, target, length, 0);
      const from = clampIndex(m, start, length, 0);
      const until = clampIndex(m, end, length, length);
      m.charge(length);
      moved(m, array, true);
      takenOut(m, array, array.items);
      if (array.labels !== undefined) labelsOf(array).copyWithin(to, from, until);
      array.items.copyWithin(to, from, until);
      return array;
    }),
    native("Array.prototype.toSpliced", 2, (m, self, args) => {
      const array = arrayOf(m, self);
      const labels = m.touched;
      const made = sliceOf(m, array, 0, array.items.length);
      splice(m, made, args);
      m.touched = labels;
      return made;
    }),
    native("Array.prototype.keys", 0, (m, self) => iterator(m, arrayOf(m, self), "keys")),
    native("Array.prototype.values", 0, (m, self) => iterator(m, arrayOf(m, self), "values")),
    native("Array.prototype.entries", 0, (m, self) => iterator(m, arrayOf(m, self), "entries")),
    native("$sortPlain", 1, (m, _self, [array]) => sortPlain(m, arrayOf(m, array as Value))),
    native("$writable", 1, (m, _self, [array]) => {
      writable(m, array as Value);
      return undefined;
    }),
    native("$replaceItems", 2, (m, _self, [array, items]) => {
      const target = writable(m, array as Value);
      const from = items as ArrayValue;
      m.charge(from.items.length >> 2);
      m.noteStore(target);
      takenOut(m, target, target.items);
      if (argLabel(m, 0) !== 0) taintOthers(m, target, {}, argLabel(m, 0) | contextOf(m));
      target.items = from.items.slice();
      target.labels = from.labels?.slice();
      if (m.tracked) {
        const label = from.shape | from.all | contextOf(m) | m.touched;
        if (label !== 0) {
          target.shape |= from.shape;
          target.all |= label;
        }
      }
      return target;
    }),
    ...[
      "map",
      "filter",
      "forEach",
      "find",
      "findIndex",
      "findLast",
      "findLastIndex",
      "some",
      "every",
      "flatMap",
      "reduce",
      "reduceRight",
      "sort",
      "toSorted",
    ].map((name) => inPrelude(`Array.prototype.${name}`, 1, `Array_${name}`)),
  ],
};

function makeArray(m: Machine, _self: Value | Value[], given?: Value[] | Value): Value {
  // Called as a function it gets (machine, this, arguments), with new (machine, arguments, new.target).
  const args = Array.isArray(given) ? given : (_self as Value[]);
  if (args.length === 1 && typeof args[0] === "number") {
    const length = args[0];
    if (!Number.isInteger(length) || length < 0 || length >= 2 ** 32) m.fail("RangeError", "Invalid array length");
    m.allocate(sizes.array + 16 * length);
    m.charge(length >> 4);
    const made = new ArrayValue(filled<Value>(length, undefined));
    made.shape = m.touched;
    return made;
  }
  const made = newArray(m, args.slice());
  if (m.tracked && m.argLabels.some((label) => label !== 0)) made.labels = [...m.argLabels];
  made.shape = m.countLabel;
  return made;
}

function iterator(m: Machine, array: ArrayValue, kind: "keys" | "values" | "entries"): IteratorValue {
  m.allocate(sizes.array);
  const made = new IteratorValue(array, kind);
  made.label = m.touched;
  return made;
}

function splice(m: Machine, self: Value, args: Value[]): Value {
  const array = writable(m, self);
  const { length } = array.items;
  const start = clampIndex(m, args[0], length, 0);
  const count = args.length === 0 ? 0 : args.length === 1 ? length - start : Math.max(0, Math.min(toInteger(m, args[1]), length - start));
  const added = args.slice(2);
  m.allocate(sizes.array + 16 * (count + added.length));
  if (added.some(isObject)) m.noteStore(array);
  m.charge((length - start + added.length) >> 2);
  moved(m, array, typeof args[0] === "number" && args[0] < 0);
  takenOut(m, array, array.items.slice(start, start + count));
  const labels = array.labels !== undefined || m.argLabels.slice(2).some((label) => label !== 0) ? labelsOf(array) : undefined;
  const removed = new ArrayValue(array.items.slice(start, start + count));
  if (labels !== undefined) {
    const addedLabels = added.map((_, index) => argLabel(m, index + 2) | contextOf(m));
    removed.labels = labels.slice(start, start + count);
    array.labels = labels.slice(0, start).concat(addedLabels, labels.slice(start + count));
  }
  // In pieces: a call of the host cannot have a million arguments.
  const tail = array.items.slice(start + count);
  array.items.length = start;
  for (const value of added) array.items.push(value);
  for (const value of tail) array.items.push(value);
  if (m.tracked) {
    array.shape |= m.countLabel;
    array.all |= m.countLabel;
    removed.shape = array.shape | argLabel(m, 0) | argLabel(m, 1);
    removed.all = array.all;
    copiedFrom(m, removed, array, m.selfLabel | contextOf(m) | argLabel(m, 0) | argLabel(m, 1) | array.shape);
    m.touched = m.selfLabel;
  }
  return removed;
}

function search(m: Machine, self: Value, args: Value[], direction: 1 | -1, sameZero: boolean): number {
  const array = arrayOf(m, self);
  const { length } = array.items;
  const [wanted] = args;
  m.charge(length >> 2);
  if (typeof wanted === "string" && wanted.length > 256)
    for (const item of array.items) if (typeof item === "string" && item.length === wanted.length) m.compared(item.length);
  if (m.tracked) touchArray(m, array);
  const nan = sameZero && typeof wanted === "number" && Number.isNaN(wanted);
  if (direction === -1) {
    const start = args.length > 1 ? toInteger(m, args[1]) : length - 1;
    const from = start < 0 ? length + start : Math.min(start, length - 1);
    return from < 0 ? -1 : array.items.lastIndexOf(wanted, from);
  }
  const start = clampIndex(m, args[1], length, 0);
  return nan
    ? array.items.findIndex((item, index) => index >= start && typeof item === "number" && Number.isNaN(item))
    : array.items.indexOf(wanted, start);
}

function flatten(m: Machine, into: ArrayValue, from: ArrayValue, depth: number, label: number, level = 0): void {
  if (level > 500) m.fail("RangeError", "Arrays nested more than 500 levels deep cannot be flattened.");
  m.charge(from.items.length + 1);
  m.allocate(16 * from.items.length);
  from.items.forEach((item, index) => {
    const own = (from.labels?.[index] ?? 0) | from.all | label;
    if (item instanceof ArrayValue && depth >= 1) flatten(m, into, item, depth - 1, own, level + 1);
    else {
      if (m.tracked) appendItem(into, item, own);
      else into.items.push(item);
    }
  });
  if (!m.tracked) return;
  into.shape |= from.shape | from.all | label;
  copiedFrom(m, into, from, from.shape | from.all | label, allBelow);
}
