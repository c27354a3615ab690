import type { Effect } from "../labels/effect.ts";
import type { Machine } from "./machine.ts";
import { setItemLabel } from "./write-properties.ts";
import { toIndex } from "./properties.ts";
import { ArrayValue, DateValue, FunctionValue, IteratorValue, MapValue, ObjectValue, RegExpValue, unset, type Env, type GuestObject, type Value } from "./values.ts";

type Write = Extract<Effect, { kind: "object" }>;

/** An object may have been written: the slot of the key, or any. */
export function taintObject(value: GuestObject, write: Pick<Write, "key" | "grows">, label: number): void {
  if (value instanceof DateValue || value instanceof RegExpValue) value.label |= label;
  if (value instanceof IteratorValue) value.label |= label;
  if (write.grows === true) {
    value.shape |= label;
    return;
  }
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

/** Everything that can be reached from a value may have been written, variables of its functions included. */
export function taintDeep(m: Machine, start: GuestObject, write: Pick<Write, "key" | "grows">, label: number): void {
  const seen = new Set<GuestObject | Env>();
  const waiting: (GuestObject | Env)[] = [start];
  const add = (value: unknown): void => {
    if (typeof value === "object" && value !== null && !seen.has(value as GuestObject)) waiting.push(value as GuestObject);
  };
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    m.charge(1);
    if ("parent" in at) continue;
    taintObject(at, write, label);
    if (at instanceof ObjectValue) for (const value of at.slots.values()) add(value);
    else if (at instanceof ArrayValue) for (const value of at.items) add(value);
    else if (at instanceof MapValue) {
      for (const key of at.keys) if (key !== unset) add(key);
      for (const value of at.values) add(value);
    } else if (at instanceof FunctionValue) {
      for (const value of at.slots?.values() ?? []) add(value);
      taintClosure(at, label, add);
    }
  }
}

/** The variables around a function that it may assign. */
function taintClosure(fn: FunctionValue, label: number, add: (value: Value) => void): void {
  for (const effect of fn.code.effects) {
    if (effect.root.kind !== "env") continue;
    // Inside the function its own environment, if it has one, lies between; the hops are those of its body.
    let env: Env | undefined = fn.env;
    for (let hop = fn.code.ownEnvironment ? 1 : 0; hop < effect.root.hops; hop++) env = env?.parent;
    if (env === undefined) continue;
    if (effect.kind === "variable") {
      env.labels ??= new Array<number>(env.slots.length).fill(0);
      env.labels[effect.root.slot] = (env.labels[effect.root.slot] as number) | label;
    } else add(env.slots[effect.root.slot] as Value);
  }
}
