import { append } from "../lists.ts";
import { findInClass } from "./classes.ts";
import type { Machine } from "./machine.ts";
import { toIndex } from "./properties.ts";
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
  return (object.hints ??= { frozenBy: 0, maybe: undefined, instead: undefined, holds: undefined, tainted: undefined });
}

/** A label decided whether a value is in an object. */
export function mayHold(m: Machine, object: GuestObject, value: Slot, reach: number = itself): void {
  if (value === unset || !isObject(value)) return;
  m.follow(1);
  const hints = hintsOf(object);
  note((hints.maybe ??= new Map()), value, reach);
}

function note(reached: Reached, object: GuestObject, reach: number): void {
  reached.set(object, (reached.get(object) ?? 0) | reach);
}

/** A label decided that a reference leads to `chosen`, or to nothing: it might have led to another object. */
export function mightBe(m: Machine, chosen: Slot, other: Slot, reach: number = itself): void {
  if (chosen === unset || other === unset || !isObject(other) || (chosen === other && reach === itself)) return;
  m.follow(1);
  if (isObject(chosen)) note((hintsOf(chosen).instead ??= new Map()), other, reach);
  else noteAbsent(m, other, reach);
}

function noteAbsent(m: Machine, other: GuestObject, reach: number): void {
  if (((m.absent.get(other) ?? 0) & reach) === reach) return;
  note(m.absent, other, reach);
  m.absentFound = undefined;
}

/** A member was read through a reference or a key that carries a label; the key itself where that carries none. */
export function readMember(m: Machine, base: Value, value: Value, byKey: boolean, key?: string): void {
  // There is no object here, nor was there ever one anywhere under this key.
  if (key !== undefined && !byKey && !isObject(value) && !m.objectKeys.has(key)) return;
  if (!isObject(base)) {
    if (value === undefined) for (const other of m.absent.keys()) noteAbsent(m, other, allBelow);
    return;
  }
  const placed = base.all !== 0 || (base instanceof ArrayValue && base.shape !== 0);
  const missing = value === undefined && base.shape !== 0;
  if ((byKey || placed || missing || base.hints?.maybe !== undefined) && (isObject(value) || holdsObjects(m, base)))
    mightBe(m, value, base, itsMembers);
  for (const [other, reach] of base.hints?.instead ?? [])
    if (isObject(value) || holdsObjects(m, other)) mightBe(m, value, other, reach === itself ? itsMembers | itself : allBelow);
}

/** Whether an object holds objects, or may. Its members are looked at once. */
function holdsObjects(m: Machine, object: GuestObject): boolean {
  const seen = new Set([object]);
  for (const one of seen) {
    m.follow(1);
    const hints = hintsOf(one);
    hints.holds ??= membersHeld(m, one).length > 0;
    if (hints.holds) return true;
    for (const [other, reach] of hints.maybe ?? []) {
      if ((reach & itself) !== 0) return true;
      seen.add(other);
    }
  }
  return false;
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

/** What an object holds. */
function membersHeld(m: Machine, object: GuestObject): GuestObject[] {
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
  return found;
}

/** What an object holds, or may hold. */
export function membersOf(m: Machine, object: GuestObject, expanding: Set<GuestObject> = new Set()): GuestObject[] {
  const found = membersHeld(m, object);
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
  const found = heldAt(value, key);
  // What a list or a map may hold has no name.
  const named = value instanceof ObjectValue || value instanceof FunctionValue || (value instanceof ArrayValue && toIndex(key) !== -1);
  const maybe = value.hints?.maybe === undefined || !named ? [] : expand(m, value.hints.maybe);
  return isObject(found) ? [found, ...maybe] : [...maybe];
}

function heldAt(value: GuestObject, key: string): Value {
  if (value instanceof ObjectValue) return value.slots.get(key) ?? findInClass(value.cls, key);
  if (value instanceof ArrayValue) {
    const index = toIndex(key);
    return index === -1 ? value.extra?.slots.get(key) : value.items[index];
  }
  return value instanceof FunctionValue ? value.slots?.get(key) : undefined;
}

/** Whether a label decided that there is no object at a key. */
export function isAbsentAt(value: GuestObject, key: string): boolean {
  if (isObject(heldAt(value, key))) return false;
  const label = value.all | value.shape;
  if (value instanceof ObjectValue) return (label | (value.labels?.get(key) ?? 0)) !== 0;
  const index = value instanceof ArrayValue ? toIndex(key) : -1;
  return index !== -1 && (label | ((value as ArrayValue).labels?.[index] ?? 0)) !== 0;
}

/** What references that led to no object might have led to. */
export function absentObjects(m: Machine): ReadonlySet<GuestObject> {
  if (m.absentFound?.stores !== m.stores) m.absentFound = { stores: m.stores, objects: expand(m, m.absent) };
  return m.absentFound.objects;
}
