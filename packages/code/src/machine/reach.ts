import { append } from "../lists.ts";
import { findInClass } from "./classes.ts";
import type { Machine } from "./machine.ts";
import {
  ArrayValue,
  FunctionValue,
  isObject,
  IteratorValue,
  MapValue,
  ObjectValue,
  PromiseValue,
  unset,
  type GuestObject,
  type Hints,
  type Reached,
  type Slot,
  type Value,
} from "./values.ts";

export const itself = 1;
export const itsMembers = 2;
export const allBelow = 4;

export function hintsOf(object: GuestObject): Hints {
  return (object.hints ??= { frozenBy: 0, maybe: undefined, instead: undefined, tainted: undefined });
}

/** A label decided whether a value is in an object. */
export function mayHold(m: Machine, object: GuestObject, value: Slot, reach: number = itself): void {
  if (value === unset || !isObject(value)) return;
  m.follow(1);
  const hints = hintsOf(object);
  hints.maybe ??= new Map();
  hints.maybe.set(value, (hints.maybe.get(value) ?? 0) | reach);
}

/** A label decided that a reference leads to `chosen`: it might have led to another object. */
export function mightBe(m: Machine, chosen: Slot, other: Slot, reach: number = itself): void {
  if (chosen === unset || other === unset || !isObject(chosen) || !isObject(other) || (chosen === other && reach === itself)) return;
  m.follow(1);
  const hints = hintsOf(chosen);
  hints.instead ??= new Map();
  hints.instead.set(other, (hints.instead.get(other) ?? 0) | reach);
}

/** A member was read through a reference or a key that carries a label. */
export function readMember(m: Machine, base: Value, value: Value, byKey: boolean): void {
  if (!isObject(base) || !isObject(value)) return;
  const placed = base.all !== 0 || (base instanceof ArrayValue && base.shape !== 0);
  if (byKey || placed || base.hints?.maybe !== undefined) mightBe(m, value, base, itsMembers);
  for (const [other, reach] of base.hints?.instead ?? []) mightBe(m, value, other, reach === itself ? itsMembers | itself : allBelow);
}

/** Members of an object were copied into a new one, by a reference or from a place that carries a label. */
export function copiedFrom(m: Machine, into: GuestObject, from: Value, label: number, reach: number = itsMembers): void {
  if (label === 0 || !isObject(from)) return;
  mayHold(m, into, from, reach);
  for (const [other, how] of from.hints?.instead ?? []) mayHold(m, into, other, how === itself ? reach : allBelow);
}

/** All that a set of objects stands for. */
export function expand(m: Machine, reached: Reached | undefined): Set<GuestObject> {
  const found = new Set<GuestObject>();
  for (const [object, reach] of reached ?? []) {
    m.follow(1);
    if ((reach & itself) !== 0) found.add(object);
    if ((reach & itsMembers) !== 0) for (const member of membersOf(m, object)) found.add(member);
    if ((reach & allBelow) !== 0) for (const member of reachable(m, [object])) found.add(member);
  }
  return found;
}

/** What an object holds, or may hold. */
export function membersOf(m: Machine, object: GuestObject, expanding: Set<GuestObject> = new Set()): GuestObject[] {
  const found: GuestObject[] = [];
  const add = (value: Slot): void => {
    if (value !== unset && isObject(value)) found.push(value);
  };
  if (object instanceof ObjectValue) {
    m.follow(object.slots.size);
    for (const value of object.slots.values()) add(value);
  } else if (object instanceof ArrayValue) {
    m.follow(object.items.length);
    for (const value of object.items) add(value);
    if (object.extra !== undefined) for (const value of object.extra.slots.values()) add(value);
  } else if (object instanceof MapValue) {
    m.follow(object.keys.length);
    for (const key of object.keys) add(key);
    for (const value of object.values) add(value);
  } else if (object instanceof FunctionValue) for (const value of object.slots?.values() ?? []) add(value);
  else if (object instanceof PromiseValue) add(object.value);
  else if (object instanceof IteratorValue) add(object.target);
  if (object.hints?.maybe !== undefined && !expanding.has(object)) {
    expanding.add(object);
    for (const [other, reach] of object.hints.maybe) {
      if ((reach & itself) !== 0) found.push(other);
      if ((reach & itsMembers) !== 0) append(found, membersOf(m, other, expanding));
      if ((reach & allBelow) !== 0 && !expanding.has(other)) append(found, reachable(m, [other], expanding));
    }
  }
  return found;
}

/** Everything that can be reached from some objects, with them. */
export function reachable(m: Machine, from: Iterable<GuestObject>, expanding: Set<GuestObject> = new Set()): GuestObject[] {
  const seen = new Set<GuestObject>(from);
  for (const object of seen) {
    m.follow(1);
    for (const member of membersOf(m, object, expanding)) seen.add(member);
    if (object instanceof ObjectValue && object.cls !== undefined) for (const member of anyMemberOf(m, object)) seen.add(member);
  }
  return [...seen];
}

/** Any member, and any method of its class. */
export function anyMemberOf(m: Machine, object: GuestObject): GuestObject[] {
  const found = membersOf(m, object);
  if (object instanceof ObjectValue && object.cls instanceof FunctionValue)
    for (let cls: Value = object.cls; cls instanceof FunctionValue; cls = cls.cls?.parent)
      for (const method of cls.cls?.methods.values() ?? []) if (isObject(method)) found.push(method);
  return found;
}

/** A member by its key: the one that is there, and those that might be. */
export function memberAt(m: Machine, value: GuestObject, key: string): GuestObject[] {
  let found: Value;
  if (value instanceof ObjectValue) found = value.slots.get(key) ?? findInClass(value.cls, key);
  else if (value instanceof ArrayValue) found = /^\d+$/.test(key) ? value.items[Number(key)] : value.extra?.slots.get(key);
  else if (value instanceof FunctionValue) found = value.slots?.get(key) ?? undefined;
  const maybe = value.hints?.maybe === undefined ? [] : expand(m, value.hints.maybe);
  return isObject(found) ? [found, ...maybe] : [...maybe];
}
