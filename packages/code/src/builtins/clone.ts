import type { Machine } from "../machine/machine.ts";
import {
  ArrayValue,
  DateValue,
  isCallable,
  isObject,
  MapValue,
  ObjectValue,
  PromiseValue,
  RegExpValue,
  unset,
  type GuestObject,
  type Value,
} from "../machine/values.ts";
import { sizes } from "../machine/sizes.ts";

/** A deep copy with its cycles and labels, as `structuredClone` makes it. */
export function cloneValue(m: Machine, value: Value): Value {
  const made = new Map<GuestObject, GuestObject>();
  const waiting: (readonly [GuestObject, GuestObject])[] = [];
  const copy = (from: Value): Value => {
    if (!isObject(from)) return from;
    const known = made.get(from);
    if (known !== undefined) return known;
    if (isCallable(from) || from instanceof PromiseValue) m.fail("TypeError", "A function or promise cannot be cloned.");
    const to = shell(from);
    if (to === undefined) m.fail("TypeError", "This kind of object cannot be cloned.");
    to.shape = from.shape;
    to.all = from.all;
    m.allocate(sizes.object);
    m.charge(1);
    made.set(from, to);
    waiting.push([from, to]);
    return to;
  };
  const result = copy(value);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, to] = next;
    if (from instanceof ObjectValue && to instanceof ObjectValue) {
      m.allocate(sizes.slot * from.slots.size);
      m.charge(from.slots.size >> 2);
      for (const [key, item] of from.slots) to.slots.set(key, copy(item));
      to.labels = from.labels === undefined ? undefined : new Map(from.labels);
    } else if (from instanceof ArrayValue && to instanceof ArrayValue) {
      m.allocate(16 * from.items.length);
      m.charge(from.items.length >> 2);
      for (const item of from.items) to.items.push(copy(item));
      to.labels = from.labels?.slice();
    } else if (from instanceof MapValue && to instanceof MapValue) {
      m.charge(from.keys.length >> 2);
      from.keys.forEach((key, at) => {
        if (key === unset) return;
        m.allocate(sizes.entry);
        const own = copy(key);
        to.index.set(own, to.keys.length);
        to.keys.push(own);
        to.values.push(copy(from.values[at]));
        if (from.keyLabels?.[at] !== undefined) (to.keyLabels ??= [])[to.keys.length - 1] = from.keyLabels[at] as number;
        if (from.labels?.[at] !== undefined) (to.labels ??= [])[to.keys.length - 1] = from.labels[at] as number;
      });
    }
  }
  return result;
}

function shell(from: GuestObject): GuestObject | undefined {
  if (from instanceof ObjectValue) {
    const made = new ObjectValue();
    // Classes of the program are lost, as they are elsewhere; errors stay errors.
    let { cls } = from;
    while (cls !== undefined && "code" in cls) cls = cls.cls?.parent as typeof cls;
    made.cls = cls;
    made.hidden = from.hidden;
    return made;
  }
  if (from instanceof ArrayValue) return new ArrayValue([]);
  if (from instanceof MapValue) return new MapValue(from.isSet);
  if (from instanceof DateValue) {
    const made = new DateValue(from.time);
    made.label = from.label;
    return made;
  }
  return from instanceof RegExpValue ? new RegExpValue(from.source, from.flags) : undefined;
}
