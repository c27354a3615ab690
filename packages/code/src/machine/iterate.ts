import { taintOthers } from "./effects.ts";
import type { Machine } from "./machine.ts";
import { appendItem } from "./item-labels.ts";
import { copiedFrom, readMember } from "./reach.ts";
import { ArrayValue, isObject, IteratorValue, MapValue, ObjectValue, unset, type Value } from "./values.ts";
import { sizes } from "./sizes.ts";

/** An iterator over a value of the language; nothing else can be iterated. */
export function iteratorOf(m: Machine, value: Value, label: number): IteratorValue {
  if (m.tracked && label !== 0) taintOthers(m, value, { iterates: true }, label | m.context);
  if (value instanceof IteratorValue) {
    value.label |= label;
    return value;
  }
  let made: IteratorValue | undefined;
  if (value instanceof ArrayValue || typeof value === "string") made = new IteratorValue(value, "values");
  else if (value instanceof MapValue) made = new IteratorValue(value, value.isSet ? "values" : "entries");
  if (made === undefined) notIterable(m, value);
  made.label = label;
  m.allocate(sizes.small);
  return made;
}

function notIterable(m: Machine, value: Value): never {
  const what = value === undefined || value === null ? String(value) : isObject(value) ? "an object" : `a ${typeof value}`;
  const way = value instanceof ObjectValue ? " Use Object.keys, Object.values or Object.entries." : "";
  return m.fail("TypeError", `A list was expected here, but this is ${what}, which is not iterable.${way}`);
}

/** The next value, or `unset` at the end. Its label goes to `touched`. */
export function nextOf(m: Machine, iterator: IteratorValue): Value | typeof unset {
  const { target, kind } = iterator;
  m.touched |= iterator.label;
  // How far it came tells what decided that it was moved.
  if (m.tracked) iterator.label |= m.context;
  if (iterator.done) return unset;
  if (typeof target === "string") {
    if (iterator.at >= target.length) return end(iterator);
    const character = String.fromCodePoint(target.codePointAt(iterator.at) as number);
    iterator.at += character.length;
    return character;
  }
  if (target instanceof ArrayValue) {
    if (iterator.at >= target.items.length) {
      m.touched |= target.shape | target.all;
      return end(iterator);
    }
    const at = iterator.at++;
    if (kind === "keys") return at;
    const label = (target.labels?.[at] ?? 0) | target.all;
    const item = target.items[at];
    if (m.tracked && (label | iterator.label) !== 0) readMember(m, target, item, (target.shape | target.all | iterator.label) !== 0);
    if (kind === "entries") return pair(m, at, 0, item, label);
    m.touched |= label;
    return item;
  }
  return nextOfMap(m, iterator, target);
}

function nextOfMap(m: Machine, iterator: IteratorValue, target: MapValue): Value | typeof unset {
  const from = Math.max(iterator.at, target.removed);
  iterator.at = from;
  while (iterator.at < target.keys.length && target.keys[iterator.at] === unset) iterator.at++;
  m.charge((iterator.at - from) >> 6);
  // Which entry comes next tells of all that were added or removed before.
  m.touched |= target.all | target.shape;
  if (iterator.at >= target.keys.length) return end(iterator);
  const at = iterator.at++;
  const keyLabel = (target.keyLabels?.[at] ?? 0) | target.all | target.shape;
  const label = (target.labels?.[at] ?? 0) | target.all | target.shape;
  if (m.tracked && (label | iterator.label) !== 0) {
    readMember(m, target, target.keys[at] as Value, true);
    readMember(m, target, target.values[at], true);
  }
  if (iterator.kind === "entries")
    return pair(
      m,
      target.keys[at] as Value,
      keyLabel,
      target.isSet ? (target.keys[at] as Value) : target.values[at],
      target.isSet ? keyLabel : label,
    );
  const keyed = iterator.kind === "keys" || target.isSet;
  m.touched |= keyed ? keyLabel : label;
  return keyed ? (target.keys[at] as Value) : target.values[at];
}

function end(iterator: IteratorValue): typeof unset {
  iterator.done = true;
  return unset;
}

function pair(m: Machine, first: Value, firstLabel: number, second: Value, secondLabel: number): ArrayValue {
  m.allocate(sizes.array + 2 * sizes.item);
  const made = new ArrayValue([first, second]);
  if (m.tracked && (firstLabel | secondLabel) !== 0) made.labels = [firstLabel, secondLabel];
  return made;
}

/** What decides whether there is a next one: the length of what is gone over. */
export function iterationLabel(iterator: IteratorValue): number {
  const { target } = iterator;
  return iterator.label | (typeof target === "string" ? 0 : target.shape | target.all);
}

/** Appends all values, as a spread does. */
export function appendIterable(m: Machine, into: ArrayValue, from: Value, label: number): void {
  if (from instanceof ArrayValue) {
    const { length } = from.items;
    m.allocate(16 * length);
    m.charge(length);
    if (!m.tracked) for (let at = 0; at < length; at++) into.items.push(from.items[at]);
    else {
      const whole = from.all | label;
      for (let at = 0; at < length; at++) appendItem(into, from.items[at], (from.labels?.[at] ?? 0) | whole);
      into.shape |= from.shape | whole;
      copiedFrom(m, into, from, from.shape | whole);
    }
    return;
  }
  const iterator = iteratorOf(m, from, label);
  const length = m.tracked ? iterationLabel(iterator) : 0;
  for (;;) {
    const before = m.touched;
    m.touched = 0;
    const value = nextOf(m, iterator);
    const own = m.touched;
    m.touched = before | own;
    if (value === unset) break;
    m.charge(1);
    m.allocate(16);
    if (m.tracked) appendItem(into, value, own);
    else into.items.push(value);
  }
  into.shape |= length;
}
