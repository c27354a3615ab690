import type { Mutation } from "../labels/effect.ts";
import { setItemLabel } from "./item-labels.ts";
import { hintsOf } from "./reach.ts";
import { toIndex } from "./properties.ts";
import {
  ArrayValue,
  DateValue,
  FunctionValue,
  IteratorValue,
  MapValue,
  NativeValue,
  ObjectValue,
  RegExpValue,
  type GuestObject,
} from "./values.ts";

/** A method of the language writes no plain object. */
export function isWrittenBy(value: GuestObject, { builtIn }: Mutation): boolean {
  return builtIn !== true || !(value instanceof ObjectValue || value instanceof FunctionValue);
}

/** An object may have been written: the slot of the key, or any. */
export function taintObject(value: GuestObject, write: Mutation, label: number): void {
  // What the language brings is the same for all programs.
  if (value instanceof NativeValue) return;
  if (write.iterates === true && !(value instanceof IteratorValue)) return;
  if (!isWrittenBy(value, write)) return;
  if (value instanceof DateValue || value instanceof RegExpValue) value.label |= label;
  if (value instanceof IteratorValue) value.label |= label;
  if (write.freezes === true) {
    hintsOf(value).frozenBy |= label;
    return;
  }
  if (write.grows === true) {
    value.shape |= label;
    return;
  }
  if (value instanceof ArrayValue && value.extra !== undefined && isOfExtra(write)) taintObject(value.extra, write, label);
  if (write.removes === true) value.shape |= label;
  if (write.key === undefined) {
    value.shape |= label;
    value.all |= label;
    return;
  }
  if (value instanceof ObjectValue || value instanceof FunctionValue) {
    if (value.slots?.has(write.key) !== true) value.shape |= label;
    else {
      value.labels ??= new Map();
      value.labels.set(write.key, (value.labels.get(write.key) ?? 0) | label);
    }
  } else if (value instanceof ArrayValue && write.key === "length") {
    value.shape |= label;
    value.all |= label;
  } else if (value instanceof ArrayValue) {
    const index = toIndex(write.key);
    if (index === -1 || index >= value.items.length) value.shape |= label;
    else setItemLabel(value, index, (value.labels?.[index] ?? 0) | label);
  } else if (value instanceof MapValue) {
    const at = value.index.get(write.key);
    if (at === undefined) value.shape |= label;
    else {
      value.labels ??= [];
      while (value.labels.length < at) value.labels.push(0);
      value.labels[at] = (value.labels[at] ?? 0) | label;
    }
  }
}

/** Whether properties of an array besides its items may be written. */
function isOfExtra({ key, builtIn }: Mutation): boolean {
  return key === undefined ? builtIn !== true : toIndex(key) === -1 && key !== "length";
}
