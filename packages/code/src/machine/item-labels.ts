import { ArrayValue, type GuestObject, MapValue, ObjectValue } from "./values.ts";

/** The label of one item of an array. */
export function setItemLabel(base: ArrayValue, index: number, label: number): void {
  base.labels ??= [];
  while (base.labels.length < index) base.labels.push(0);
  base.labels[index] = label;
}

/** Adds an item at the end. Where it stands tells of the length before. */
export function appendItem(base: ArrayValue, value: ArrayValue["items"][number], label: number): void {
  base.items.push(value);
  const joined = label | base.shape;
  if (joined !== 0 || base.labels !== undefined) setItemLabel(base, base.items.length - 1, joined);
}

/** A label decided whether something was laid over what an object holds. */
export function mayBeLaidOver(base: GuestObject, label: number): void {
  if (label === 0) return;
  if (base instanceof ObjectValue) {
    base.labels ??= new Map();
    for (const key of base.slots.keys()) base.labels.set(key, (base.labels.get(key) ?? 0) | label);
  } else if (base instanceof ArrayValue)
    for (let at = 0; at < base.items.length; at++) setItemLabel(base, at, (base.labels?.[at] ?? 0) | label);
  else if (base instanceof MapValue) base.all |= label;
}
