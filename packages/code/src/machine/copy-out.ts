import { findInClass } from "./classes.ts";
import { outputLimit } from "./limit.ts";
import type { Machine } from "./machine.ts";
import { ownText } from "./own-text.ts";
import { sizes } from "./sizes.ts";
import { sortedKeys } from "./keys.ts";
import { ArrayValue, DateValue, isCallable, isObject, ObjectValue, PromiseValue, type GuestObject, type Value } from "./values.ts";

const maximumDepth = 500;

/** A value of the program as plain data, as `JSON.stringify` would write it. */
export interface CopiedOut {
  readonly data: unknown;
  /** Joined over everything. */
  readonly label: number;
  /** By JSON Pointer, those that are not 0. */
  readonly labels: Record<string, number>;
  /** What the data takes. */
  readonly bytes: number;
}

/** `what` is named in messages: "the returned value", "the input of send". */
export function copyOut(m: Machine, value: Value, label: number, what: string, mostBytes: number = Infinity): CopiedOut {
  const path: GuestObject[] = [];
  const labels: Record<string, number> = Object.create(null) as Record<string, number>;
  let joined = label;
  let bytes = 0;
  let held = 0;
  if (label !== 0) labels[""] = label;
  const data = copy(value, "");
  m.touched |= joined;
  return { data, label: joined, labels, bytes: held };

  function take(size: number): void {
    held += size;
    m.allocate(size);
  }

  function note(pointer: string, part: number): void {
    if (part === 0) return;
    joined |= part;
    labels[pointer] = (labels[pointer] ?? 0) | part;
  }

  function copy(from: Value, pointer: string): unknown {
    // Anything takes a character at least, with what separates it from the next another one.
    bytes += typeof from === "string" ? from.length + 2 : 2;
    if (bytes > 2 * mostBytes + 16) outputLimit(m);
    if (typeof from === "string") {
      take(sizes.text + 2 * from.length);
      return ownText(from);
    }
    if (typeof from === "number") return Number.isFinite(from) ? (Object.is(from, -0) ? 0 : from) : null;
    if (!isObject(from)) return from;
    if (isCallable(from)) return undefined;
    if (from instanceof PromiseValue) m.fail("TypeError", `There is a promise in ${what}${at(pointer)}. Await it first.`);
    if (from instanceof DateValue) {
      note(pointer, from.label);
      return Number.isNaN(from.time) ? null : new Date(from.time).toISOString();
    }
    if (path.includes(from))
      m.fail("TypeError", `There is an object that contains itself in ${what}${at(pointer)}. Return or send the needed fields.`);
    if (path.length >= maximumDepth) m.fail("RangeError", `Nesting of more than ${maximumDepth} levels is not possible in ${what}.`);
    path.push(from);
    const copied = from instanceof ArrayValue ? copyArray(from, pointer) : from instanceof ObjectValue ? copyPlain(from, pointer) : {};
    path.pop();
    return copied;
  }

  function copyArray(from: ArrayValue, pointer: string): unknown[] {
    m.charge(from.items.length);
    take(sizes.array + 16 * from.items.length);
    note(pointer, from.shape | from.all);
    return from.items.map((item, index) => {
      const below = m.tracked ? `${pointer}/${index}` : pointer;
      note(below, from.labels?.[index] ?? 0);
      return copy(item, below) ?? null;
    });
  }

  function copyPlain(from: ObjectValue, pointer: string): Record<string, unknown> {
    const hook = from.slots.get("toJSON") ?? findInClass(from.cls, "toJSON");
    if (isCallable(hook)) m.fail("TypeError", `There is an object with its own toJSON in ${what}${at(pointer)}. Call it: value.toJSON().`);
    m.charge(from.slots.size);
    take(sizes.object + sizes.slot * from.slots.size);
    note(pointer, from.shape | from.all);
    const copied: Record<string, unknown> = {};
    for (const key of sortedKeys(from)) {
      const below = m.tracked ? `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}` : pointer;
      note(below, from.labels?.get(key) ?? 0);
      const item = copy(from.slots.get(key), below);
      if (item === undefined) continue;
      take(2 * key.length);
      copied[ownText(key)] = item;
    }
    return copied;
  }
}

function at(pointer: string): string {
  return pointer === "" ? "" : ` at ${pointer}`;
}
