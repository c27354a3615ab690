import type { ArrayValue } from "./values.ts";

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
