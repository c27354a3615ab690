import type { Region } from "../compile/code.ts";
import type { Effect, Root } from "../labels/effect.ts";
import type { Frame } from "./frame.ts";
import type { Machine } from "./machine.ts";
import { taintDeep, taintObject } from "./taint.ts";
import { isObject, unset, type Env, type Slot, type Value } from "./values.ts";
import { getSilently } from "./silent.ts";

/** Keeps a context raised until what is left at `depth` ends. */
export function keepRaised(frame: Frame, depth: number, label: number): void {
  for (let at = Math.max(0, depth + 1); at < frame.contexts.length; at++) frame.contexts[at] = (frame.contexts[at] as number) | label;
  frame.context |= label;
}

/** An exception may have come out of a call: what follows in the `try`, or in the function, tells that none did. */
export function raiseForThrow(frame: Frame, label: number): void {
  const handler = frame.handlers.at(-1);
  keepRaised(frame, handler === undefined ? -1 : handler.contexts - 1, label);
  if (handler === undefined) frame.mayThrow |= label;
}

/** The branches of a region join. */
export function joinRegion(m: Machine, frame: Frame, region: Region): void {
  const raised = frame.context;
  const before = frame.contexts[region.depth] as number;
  frame.contexts.length = region.depth;
  frame.context = before;
  if (raised === before) return;
  if (region.value) frame.stackLabels[frame.stackLabels.length - 1] = (frame.stackLabels.at(-1) as number) | raised;
  if (region.awaits) frame.timing |= raised;
  if (region.throws) frame.mayThrow |= raised;
  if (region.escape < region.depth) keepRaised(frame, region.escape, raised);
  joinEffects(m, frame, region.effects, raised);
}

/** Everything that may have been written takes the label, whether it was or not. */
export function joinEffects(m: Machine, frame: Frame, effects: readonly Effect[], label: number): void {
  for (const effect of effects) {
    if (effect.kind === "variable") joinVariable(frame, effect.root, label);
    else {
      let value = rootValue(frame, effect.root) as Value;
      for (const key of effect.path) value = getSilently(value, key);
      if (!isObject(value)) continue;
      if (effect.deep) taintDeep(m, value, effect, label);
      else taintObject(value, effect, label);
    }
  }
}

function joinVariable(frame: Frame, root: Root, label: number): void {
  if (root.kind === "local") frame.localLabels[root.slot] = (frame.localLabels[root.slot] as number) | label;
  else if (root.kind === "env") {
    const env = envAt(frame.env, root.hops);
    if (env === undefined) return;
    env.labels ??= new Array<number>(env.slots.length).fill(0);
    env.labels[root.slot] = (env.labels[root.slot] as number) | label;
  }
}

function rootValue(frame: Frame, root: Root): Slot {
  const value = root.kind === "this" ? frame.self : root.kind === "local" ? frame.locals[root.slot] : envAt(frame.env, root.hops)?.slots[root.slot];
  return value === unset ? undefined : value;
}

export function envAt(env: Env | undefined, hops: number): Env | undefined {
  let at = env;
  for (let hop = 0; hop < hops; hop++) at = at?.parent;
  return at;
}
