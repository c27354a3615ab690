import { Frame } from "./values.ts";
import type { Machine } from "./machine.ts";
import {
  ArrayValue,
  Env,
  FunctionValue,
  GuestObject,
  IteratorValue,
  MapValue,
  ObjectValue,
  PromiseValue,
  ResolverValue,
} from "./values.ts";

let measurements = 0;

/** Measures what a program holds: everything that can be reached from its frames, queue and calls. */
export function measure(m: Machine): { bytes: number; objects: number } {
  const seen = new Map<string, string>();
  const mark = ++measurements;
  let objects = 0;
  const waiting: unknown[] = [];
  let bytes = 0;
  const add = (value: unknown): void => {
    if (typeof value === "string") {
      if (value.length > 64) {
        if (seen.has(value)) return;
        seen.set(value, value);
      }
      bytes += 24 + 2 * value.length;
    } else if (typeof value === "object" && value !== null && (value as Env).mark !== mark) {
      (value as Env).mark = mark;
      objects++;
      waiting.push(value);
    }
  };
  /** Equal texts are counted once, so they are made one: the host may hold each of them. */
  const unite = (list: unknown[]): void => {
    for (let at = 0; at < list.length; at++) {
      const value = list[at];
      add(value);
      if (typeof value === "string" && value.length > 64) list[at] = seen.get(value);
    }
  };
  add(m.frame);
  add(m.root);
  add(m.input?.value);
  for (const job of m.queue) {
    if (job.kind === "subscribe") {
      add(job.from);
      add(job.to);
    } else addReaction(job.reaction, add);
  }
  for (const call of m.calls) if (call.state === "waiting" || call.state === "started") add(call.promise);
  for (const log of m.logs) bytes += 2 * log.text.length;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    bytes += 48;
    if (at instanceof GuestObject && at.hints !== undefined) {
      for (const held of at.hints.maybe?.keys() ?? []) add(held);
      for (const held of at.hints.instead?.keys() ?? []) add(held);
    }
    if (at instanceof Frame) addFrame(at, add);
    else if (at instanceof Env) {
      bytes += 16 * at.slots.length;
      unite(at.slots);
      add(at.parent);
    } else if (at instanceof ObjectValue) {
      bytes += 16 * at.slots.size;
      for (const [key, value] of at.slots) {
        bytes += 2 * key.length;
        add(value);
        if (typeof value === "string" && value.length > 64) at.slots.set(key, seen.get(value));
      }
      add(at.cls);
    } else if (at instanceof ArrayValue) {
      bytes += 16 * at.items.length;
      unite(at.items);
      add(at.extra);
    } else if (at instanceof MapValue) {
      bytes += 32 * at.keys.length;
      for (const key of at.keys) add(key);
      unite(at.values);
    } else if (at instanceof FunctionValue) {
      add(at.env);
      add(at.self);
      add(at.home);
      for (const value of at.slots?.values() ?? []) add(value);
      for (const value of at.cls?.methods.values() ?? []) add(value);
      add(at.cls?.parent);
    } else if (at instanceof PromiseValue) {
      add(at.value);
      add(at.frame);
      for (const reaction of at.reactions) addReaction(reaction, add);
    } else if (at instanceof ResolverValue) add(at.promise);
    else if (at instanceof IteratorValue) add(at.target);
  }
  return { bytes, objects };
}

function addFrame(frame: Frame, add: (value: unknown) => void): void {
  for (const value of frame.stack) add(value);
  for (const value of frame.locals) add(value);
  for (const value of frame.args) add(value);
  for (const handler of frame.handlers) add(handler.env);
  add(frame.env);
  add(frame.self);
  add(frame.caller);
  add(frame.promise);
  add(frame.settles);
}

function addReaction(reaction: PromiseValue["reactions"][number], add: (value: unknown) => void): void {
  if (reaction.kind === "resume") add(reaction.frame);
  else add(reaction.result);
  if (reaction.kind === "then") {
    add(reaction.fulfilled);
    add(reaction.rejected);
  }
}
