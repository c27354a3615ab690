import { append } from "../lists.ts";
import { findInClass, findStatic } from "./classes.ts";
import type { Machine } from "./machine.ts";
import { toIndex } from "./properties.ts";
import {
  ArrayValue,
  DateValue,
  FunctionValue,
  isObject,
  IteratorValue,
  MapValue,
  NativeValue,
  ObjectValue,
  PromiseValue,
  RegExpValue,
  StandIn,
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

/** What the language brings is the same for all programs: nothing is noted about it. */
export function isShared(value: Slot): boolean {
  return value instanceof NativeValue;
}

/** A label decided whether a value is in an object. */
export function mayHold(m: Machine, object: GuestObject, value: Slot, reach: number = itself): void {
  if (value === unset || !isObject(value) || isShared(object)) return;
  m.follow(1);
  const hints = hintsOf(object);
  if (note(m, (hints.maybe ??= new Map()), value, reach)) m.stores++;
}

/** Whether it is new. */
export function note(m: Machine, reached: Reached, object: GuestObject, reach: number): boolean {
  if (object instanceof StandIn) {
    let found = false;
    for (const held of object.hints?.maybe?.keys() ?? []) found = note(m, reached, held, allBelow) || found;
    return found;
  }
  const known = reached.get(object) ?? 0;
  if ((known & reach) === reach) return false;
  reached.set(object, known | reach);
  m.noted++;
  return true;
}

/** A label decided that a reference leads to `chosen`, or to nothing: it might have led to another object. */
export function mightBe(m: Machine, chosen: Slot, other: Slot, reach: number = itself): void {
  if (chosen === unset || other === unset || !isObject(other) || (chosen === other && reach === itself)) return;
  m.follow(1);
  if (isObject(chosen) && !isShared(chosen)) note(m, (hintsOf(chosen).instead ??= new Map()), other, reach);
  else noteAbsent(m, other, reach);
}

function noteAbsent(m: Machine, other: GuestObject, reach: number): void {
  if (((m.absent.get(other) ?? 0) & reach) === reach) return;
  note(m, m.absent, other, reach);
  m.absentFound = undefined;
}

/** A member was read through a reference or a key that carries a label; the key itself where that carries none. */
export function readMember(m: Machine, base: Value, value: Value, byKey: boolean, key?: string): void {
  // There is no object here, nor was there ever one anywhere under this key.
  const mayBeHere = isObject(base) && (base.hints?.maybe !== undefined || base.hints?.instead !== undefined);
  if (key !== undefined && !byKey && !isObject(value) && !mayBeHere && !m.objectKeys.has(key)) return;
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
      if ((reach & (itself | allBelow)) !== 0) return true;
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

/** What an object may hold, looked up once as long as nothing changes: many objects of one branch may hold the same. */
function expandOnce(m: Machine, object: GuestObject, maybe: Reached): ReadonlySet<GuestObject> {
  if (m.expandedAt !== m.noted + m.stores) {
    m.expanded.clear();
    m.expandedAt = m.noted + m.stores;
  }
  const known = m.expanded.get(object) ?? expand(m, maybe);
  m.expanded.set(object, known);
  m.follow(1 + (known.size >> 4));
  return known;
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
  for (const object of seen) addNext(m, seen, object, expanding);
  return [...seen];
}

/** What is one step from an object, for whoever goes through all that can be reached. */
export function addNext(m: Machine, seen: Set<GuestObject>, object: GuestObject, expanding: Set<GuestObject> = new Set()): void {
  m.follow(1);
  for (const member of membersHeld(m, object)) seen.add(member);
  for (const [other, reach] of object.hints?.maybe ?? []) {
    // What is below that is gone through with the rest.
    if ((reach & (itself | allBelow)) !== 0) seen.add(other);
    else if (!expanding.has(other)) {
      for (const member of membersOf(m, other, expanding)) seen.add(member);
    }
  }
  for (const method of methodsOf(object)) seen.add(method);
}

/** Any member, and any method of its class. */
export function anyMemberOf(m: Machine, object: GuestObject): GuestObject[] {
  return [...membersOf(m, object), ...methodsOf(object)];
}

function methodsOf(object: GuestObject): GuestObject[] {
  const found: GuestObject[] = [];
  for (let cls: Value = classOf(object); cls instanceof FunctionValue; cls = cls.cls?.parent)
    for (const method of cls.cls?.methods.values() ?? []) if (isObject(method)) found.push(method);
  return found;
}

/** The class of the program that an object is an instance of. */
function classOf(object: GuestObject): FunctionValue | undefined {
  const cls = "cls" in object ? (object.cls as Value) : undefined;
  return cls instanceof FunctionValue && !(object instanceof FunctionValue) ? cls : undefined;
}

/** The methods of a name that a value has from any of its classes: which of them `super` means is not followed. */
export function inheritedAt(m: Machine, value: GuestObject, name: string): GuestObject[] {
  const found: Value[] = [];
  const isStatic = value instanceof FunctionValue;
  let cls: Value = isStatic ? value : classOf(value);
  for (; cls instanceof FunctionValue; cls = cls.cls?.parent) found.push(isStatic ? cls.slots?.get(name) : cls.cls?.methods.get(name));
  if (!isStatic) found.push(nativeAt(m, value, name));
  return found.filter(isObject);
}

/** A member by its key: the one that is there, and those that might be. */
export function memberAt(m: Machine, value: GuestObject, key: string): GuestObject[] {
  const found = heldAt(m, value, key);
  // What a list or a map may hold has no name.
  const named = value instanceof ObjectValue || value instanceof FunctionValue || (value instanceof ArrayValue && toIndex(key) !== -1);
  const maybe = value.hints?.maybe === undefined || !named ? [] : expandOnce(m, value, value.hints.maybe);
  return isObject(found) ? [found, ...maybe] : [...maybe];
}

function heldAt(m: Machine, value: GuestObject, key: string): Value {
  if (value instanceof ObjectValue) return value.slots.get(key) ?? findInClass(value.cls, key);
  if (value instanceof FunctionValue) return findStatic(value, key)?.value;
  if (value instanceof NativeValue) return m.natives.statics.get(value.name)?.get(key);
  if (value instanceof ArrayValue) {
    const index = toIndex(key);
    if (index !== -1) return value.items[index];
    if (value.extra?.slots.has(key) === true) return value.extra.slots.get(key);
  }
  return findInClass(classOf(value), key) ?? nativeAt(m, value, key);
}

/** A method of the language. */
function nativeAt(m: Machine, value: GuestObject, key: string): Value {
  const kind =
    value instanceof ArrayValue
      ? "Array"
      : value instanceof MapValue
        ? value.isSet
          ? "Set"
          : "Map"
        : value instanceof DateValue
          ? "Date"
          : value instanceof RegExpValue
            ? "RegExp"
            : value instanceof IteratorValue
              ? "Iterator"
              : "";
  return m.natives.methods.get(kind)?.get(key);
}

/** Whether a label decided that there is no object at a key. */
export function isAbsentAt(m: Machine, value: GuestObject, key: string): boolean {
  if (isObject(heldAt(m, value, key))) return false;
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
