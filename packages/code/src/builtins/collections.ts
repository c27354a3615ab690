import { iteratorOf, nextOf } from "../machine/iterate.ts";
import type { Machine } from "../machine/machine.ts";
import { toKey, touchArray } from "../machine/convert.ts";
import { appendItem, mayBeLaidOver } from "../machine/item-labels.ts";
import { itsMembers, mayHold, mightBe, readMember } from "../machine/reach.ts";
import { defineSlot } from "../machine/write-properties.ts";
import { getProperty } from "../machine/properties.ts";
import { ArrayValue, isObject, IteratorValue, MapValue, unset, type Value } from "../machine/values.ts";
import { ObjectValue } from "../machine/values.ts";
import { argLabel, contextOf, inPrelude, native, type Library } from "./define.ts";
import { sizes } from "../machine/sizes.ts";

function mapOf(m: Machine, self: Value, isSet: boolean): MapValue {
  if (!(self instanceof MapValue) || self.isSet !== isSet) m.fail("TypeError", `This method needs a ${isSet ? "Set" : "Map"}.`);
  m.touched |= self.all;
  return self;
}

/** The key as it is looked up: -0 as 0. Long texts are compared. */
function normal(m: Machine, key: Value): Value {
  if (typeof key === "string") m.compared(key.length);
  return key === 0 ? 0 : key;
}

/** Adds or replaces an entry. */
export function setEntry(m: Machine, map: MapValue, key: Value, value: Value, keyLabel: number, label: number, context: number): void {
  const wanted = normal(m, key);
  let at = map.index.get(wanted);
  if (at === undefined) {
    m.allocate(sizes.entry);
    at = map.keys.length;
    map.index.set(wanted, at);
    map.keys.push(wanted);
    map.values.push(undefined);
    if (m.tracked) map.shape |= keyLabel | context;
  }
  if (isObject(value) || isObject(key)) m.noteStore(map);
  if (m.tracked && (context | keyLabel) !== 0) {
    mayHold(m, map, value);
    mayHold(m, map, map.values[at]);
    mightBe(m, value, map.values[at]);
  }
  map.values[at] = value;
  if (!m.tracked) return;
  if (keyLabel !== 0) {
    map.keyLabels ??= [];
    map.keyLabels[at] = (map.keyLabels[at] ?? 0) | keyLabel;
    map.all |= keyLabel;
  }
  if (label !== 0 || map.labels !== undefined) {
    map.labels ??= [];
    map.labels[at] = label;
  }
}

function removeEntry(m: Machine, map: MapValue, key: Value, label: number): boolean {
  const wanted = normal(m, key);
  const at = map.index.get(wanted);
  if (m.tracked) {
    map.shape |= label;
    // Another entry might have been removed.
    map.all |= argLabel(m, 0);
    m.touched |= map.shape;
  }
  if (at === undefined) return false;
  if (m.tracked && label !== 0) {
    mayHold(m, map, map.keys[at] as Value);
    mayHold(m, map, map.values[at]);
  }
  map.index.delete(wanted);
  map.keys[at] = unset;
  map.values[at] = undefined;
  while (map.removed < map.keys.length && map.keys[map.removed] === unset) map.removed++;
  return true;
}

/** Goes over a list with the labels of its parts. */
function each(m: Machine, source: Value, label: number, add: (item: Value, label: number) => void, into: MapValue): void {
  if (source === undefined || source === null) return;
  const iterator = iteratorOf(m, source, label);
  for (;;) {
    m.touched = 0;
    const item = nextOf(m, iterator);
    into.shape |= iterator.label | (item === unset ? m.touched : 0);
    if (item === unset) return;
    m.charge(1);
    add(item, m.touched);
  }
}

function newMap(m: Machine, args: Value[]): MapValue {
  const map = new MapValue(false);
  m.allocate(sizes.map);
  each(
    m,
    args[0],
    argLabel(m, 0),
    (item, label) => {
      if (!isObject(item)) m.fail("TypeError", "new Map needs a list of [key, value] pairs.");
      m.touched = label;
      const key = getProperty(m, item, "0");
      const keyLabel = m.touched;
      m.touched = label;
      const value = getProperty(m, item, "1");
      setEntry(m, map, key, value, keyLabel, m.touched, 0);
    },
    map,
  );
  mayBeLaidOver(map, map.shape);
  m.touched = argLabel(m, 0);
  return map;
}

function newSet(m: Machine, args: Value[]): MapValue {
  const set = new MapValue(true);
  m.allocate(sizes.map);
  each(m, args[0], argLabel(m, 0), (item, label) => setEntry(m, set, item, undefined, label, 0, 0), set);
  m.touched = argLabel(m, 0);
  return set;
}

function iterator(m: Machine, map: MapValue, kind: "keys" | "values" | "entries"): IteratorValue {
  m.allocate(sizes.small);
  const made = new IteratorValue(map, kind);
  made.label = m.touched;
  return made;
}

/** The operations of two sets. */
function combine(name: string, run: (m: Machine, a: MapValue, b: MapValue, into: MapValue) => void): Library["functions"][number] {
  return native(`Set.prototype.${name}`, 1, (m, self, [other]) => {
    const a = mapOf(m, self, true);
    const b = otherOf(m, other);
    const into = new MapValue(true);
    m.allocate(sizes.map);
    m.charge(a.keys.length + b.keys.length);
    for (const key of [...a.keys, ...b.keys]) if (typeof key === "string") m.compared(key.length);
    run(m, a, b, into);
    if (m.tracked) {
      into.shape |= m.touched | a.shape | b.shape | a.all | b.all;
      into.all |= into.shape;
    }
    return into;
  });
}

function otherOf(m: Machine, other: Value): MapValue {
  if (!(other instanceof MapValue)) m.fail("TypeError", "This method needs a Set as its argument: new Set(list).");
  return other;
}

function* keysOf(map: MapValue): Generator<readonly [Value, number]> {
  for (let at = 0; at < map.keys.length; at++) if (map.keys[at] !== unset) yield [map.keys[at] as Value, map.keyLabels?.[at] ?? 0];
}

function add(m: Machine, into: MapValue, [key, label]: readonly [Value, number]): void {
  setEntry(m, into, key, undefined, label, 0, 0);
}

function relation(name: string, run: (a: MapValue, b: MapValue) => boolean): Library["functions"][number] {
  return native(`Set.prototype.${name}`, 1, (m, self, [other]) => {
    const a = mapOf(m, self, true);
    const b = otherOf(m, other);
    m.charge(a.keys.length + b.keys.length);
    for (const key of [...a.keys, ...b.keys]) if (typeof key === "string") m.compared(key.length);
    m.touched |= a.shape | b.shape | a.all | b.all;
    return run(a, b);
  });
}

const within = (a: MapValue, b: MapValue): boolean => [...a.index.keys()].every((key) => b.index.has(key));

export const collectionLibrary: Library = {
  functions: [
    { name: "Map", length: 0, construct: newMap },
    { name: "Set", length: 0, construct: newSet },
    native("Map.prototype.get", 1, (m, self, [key]) => {
      const map = mapOf(m, self, false);
      const at = map.index.get(normal(m, key));
      m.touched |= at === undefined ? map.shape : (map.labels?.[at] ?? 0);
      if (m.touched !== 0) readMember(m, map, at === undefined ? undefined : map.values[at], argLabel(m, 0) !== 0);
      return at === undefined ? undefined : map.values[at];
    }),
    native("Map.prototype.set", 2, (m, self, [key, value]) => {
      const map = mapOf(m, self, false);
      const context = contextOf(m) | m.selfLabel;
      setEntry(m, map, key, value, argLabel(m, 0), argLabel(m, 1) | context, context);
      m.touched = m.selfLabel;
      return map;
    }),
    native("Set.prototype.add", 1, (m, self, [key]) => {
      const set = mapOf(m, self, true);
      const context = contextOf(m) | m.selfLabel;
      setEntry(m, set, key, undefined, argLabel(m, 0) | context, 0, context);
      m.touched = m.selfLabel;
      return set;
    }),
    ...["Map", "Set"].flatMap((kind) => {
      const isSet = kind === "Set";
      return [
        native(`${kind}.prototype.has`, 1, (m, self, [key]) => {
          const map = mapOf(m, self, isSet);
          m.touched |= map.shape;
          return map.index.has(normal(m, key));
        }),
        native(`${kind}.prototype.delete`, 1, (m, self, [key]) => removeEntry(m, mapOf(m, self, isSet), key, m.touched | contextOf(m))),
        native(`${kind}.prototype.clear`, 0, (m, self) => {
          const map = mapOf(m, self, isSet);
          if (m.tracked && (m.touched | contextOf(m)) !== 0)
            for (const held of [...map.keys, ...map.values]) if (held !== unset) mayHold(m, map, held);
          m.charge((map.keys.length - map.removed) >> 6);
          map.index.clear();
          map.keys.fill(unset, map.removed);
          map.values.fill(undefined, map.removed);
          map.removed = map.keys.length;
          map.shape |= m.touched | contextOf(m);
          return undefined;
        }),
        native(`${kind}.prototype.keys`, 0, (m, self) => iterator(m, mapOf(m, self, isSet), "keys")),
        native(`${kind}.prototype.values`, 0, (m, self) => iterator(m, mapOf(m, self, isSet), "values")),
        native(`${kind}.prototype.entries`, 0, (m, self) => iterator(m, mapOf(m, self, isSet), "entries")),
        inPrelude(`${kind}.prototype.forEach`, 1, "Map_forEach"),
      ];
    }),
    inPrelude("Map.groupBy", 2, "Map_groupBy"),
    combine("union", (m, a, b, into) => {
      for (const entry of keysOf(a)) add(m, into, entry);
      for (const entry of keysOf(b)) add(m, into, entry);
    }),
    combine("intersection", (m, a, b, into) => {
      for (const entry of keysOf(a)) if (b.index.has(entry[0])) add(m, into, entry);
    }),
    combine("difference", (m, a, b, into) => {
      for (const entry of keysOf(a)) if (!b.index.has(entry[0])) add(m, into, entry);
    }),
    combine("symmetricDifference", (m, a, b, into) => {
      for (const entry of keysOf(a)) if (!b.index.has(entry[0])) add(m, into, entry);
      for (const entry of keysOf(b)) if (!a.index.has(entry[0])) add(m, into, entry);
    }),
    relation("isSubsetOf", within),
    relation("isSupersetOf", (a, b) => within(b, a)),
    relation("isDisjointFrom", (a, b) => ![...a.index.keys()].some((key) => b.index.has(key))),
    // The items of a list by their keys. Which group an item is in, and how long the groups are, tells of all keys.
    native("$group", 3, (m, _self, [list, keys, into]) => {
      const items = list as ArrayValue;
      const names = keys as ArrayValue;
      const groups = into as ObjectValue | MapValue;
      m.touched = 0;
      touchArray(m, names);
      const label = m.touched | items.shape | items.all;
      names.items.forEach((key, at) => {
        m.charge(1);
        const wanted = groups instanceof MapValue ? normal(m, key) : toKey(m, key);
        const place = groups instanceof MapValue ? groups.index.get(wanted) : undefined;
        const known =
          groups instanceof MapValue ? (place === undefined ? undefined : groups.values[place]) : groups.slots.get(wanted as string);
        const group = known instanceof ArrayValue ? known : new ArrayValue([]);
        if (group !== known) {
          m.allocate(sizes.array);
          if (groups instanceof MapValue) setEntry(m, groups, wanted, group, label, label, 0);
          else defineSlot(m, groups, wanted as string, group, label, 0, label);
          if (m.tracked && label !== 0) mayHold(m, group, items, itsMembers);
        }
        m.allocate(16);
        if (m.tracked) appendItem(group, items.items[at], (items.labels?.[at] ?? 0) | label);
        else group.items.push(items.items[at]);
        group.shape |= label;
      });
      groups.shape |= label;
      if (m.tracked && label !== 0) mayHold(m, groups, items, itsMembers);
      m.touched = 0;
      return groups;
    }),
    native("Iterator.prototype.next", 0, (m, self) => {
      if (!(self instanceof IteratorValue)) return m.fail("TypeError", "This method needs an iterator.");
      const before = m.touched;
      m.touched = 0;
      const value = nextOf(m, self);
      const made = new ObjectValue();
      m.allocate(sizes.object + 2 * sizes.slot);
      made.slots.set("value", value === unset ? undefined : value);
      made.slots.set("done", value === unset);
      if (m.tracked && m.touched !== 0) made.labels = new Map([["value", m.touched], ["done", m.touched]]); // prettier-ignore
      self.label |= contextOf(m) | m.selfLabel;
      m.touched = before;
      return made;
    }),
    native("Iterator.prototype.toArray", 0, (m, self) => {
      const made = m.natives.functions.get("$arrayFrom")?.call?.(m, undefined, [self]);
      return made;
    }),
  ],
};
