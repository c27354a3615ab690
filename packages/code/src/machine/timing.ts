import { Op } from "../compile/ops.ts";
import { applyFrameEffects, applyFunction, type Applying } from "./effects.ts";
import type { Machine } from "./machine.ts";
import { keepRaised } from "./raise.ts";
import { FunctionValue, ResolverValue, type Env, type Frame, type PromiseValue, type Reaction, type Value } from "./values.ts";

/**
 * A label decides when a function goes on. While others are under way, the order in which they write tells of it: what the function may still write
 * takes the label at once, and keeps it whatever the others write.
 */
export function noteTiming(m: Machine, frame: Frame, label: number): void {
  frame.timing |= label;
  const after = dependents(m, frame);
  if (!othersUnderWay(m, frame, after.frames, label)) return;
  keepRaised(frame, -1, label);
  const how: Applying = { label, stays: true, done: new Map() };
  applyFrameEffects(m, frame, how);
  for (const callback of after.callbacks) applyFunction(m, callback, [], [], how);
  for (const waiting of after.frames) if (waiting.promise !== m.root) applyFrameEffects(m, waiting, how);
}

/** A function of `then` runs at a time that a label decided: what of it tells, where others are under way. */
export function timingOf(m: Machine, promise: PromiseValue, result: PromiseValue): number {
  if (promise.timing === 0) return 0;
  const after = new Set<Frame>();
  follow(m, [result], after, []);
  for (const waiting of m.waiting) if (!after.has(waiting)) return promise.timing;
  return 0;
}

interface After {
  /** Those that wait for the function, directly or not. */
  readonly frames: ReadonlySet<Frame>;
  /** Functions of the program that are called when it ends. */
  readonly callbacks: readonly FunctionValue[];
}

function dependents(m: Machine, frame: Frame): After {
  const frames = new Set<Frame>();
  const callbacks: FunctionValue[] = [];
  const from: PromiseValue[] = [];
  for (let at: Frame | undefined = frame; at !== undefined; at = at.caller) {
    if (at !== frame && !isAboutToWait(at)) break;
    if (at !== frame) frames.add(at);
    if (at.promise !== undefined) from.push(at.promise);
  }
  follow(m, from, frames, callbacks);
  return { frames, callbacks };
}

function isAboutToWait(frame: Frame): boolean {
  return frame.code[frame.pc] === Op.Await;
}

function follow(m: Machine, from: readonly PromiseValue[], frames: Set<Frame>, callbacks: FunctionValue[]): void {
  const seen = new Set<PromiseValue>(from);
  const reactions = (promise: PromiseValue): Reaction[] => [
    ...promise.reactions,
    ...m.queue.flatMap((job) => (job.kind === "reaction" && job.promise === promise ? [job.reaction] : [])),
  ];
  for (const promise of seen) {
    m.follow(1);
    for (const job of m.queue) if (job.kind === "subscribe" && job.from === promise) seen.add(job.to);
    for (const reaction of reactions(promise)) {
      if (reaction.kind === "resume") {
        frames.add(reaction.frame);
        if (reaction.frame.promise !== undefined) seen.add(reaction.frame.promise);
        continue;
      }
      seen.add(reaction.result);
      if (reaction.kind !== "then") continue;
      for (const callback of [reaction.fulfilled, reaction.rejected]) {
        if (callback instanceof ResolverValue) seen.add(callback.promise);
        if (!(callback instanceof FunctionValue)) continue;
        if (!callback.unit.builtin) callbacks.push(callback);
        else for (const settled of promisesIn(callback.env)) seen.add(settled);
      }
    }
  }
}

/** The promises that our own functions settle: those of `Promise.all` and the like. */
function promisesIn(env: Env | undefined): PromiseValue[] {
  const found: PromiseValue[] = [];
  for (let at = env; at !== undefined; at = at.parent)
    for (const slot of at.slots) if (slot instanceof ResolverValue) found.push(slot.promise);
  return found;
}

/** What was begun under the label writes nothing without it, and is not there where the label decided otherwise. */
function othersUnderWay(m: Machine, frame: Frame, after: ReadonlySet<Frame>, label: number): boolean {
  const runs = (reaction: Reaction): boolean => runsProgram(reaction, label);
  for (let at = frame.caller; at !== undefined; at = at.caller) if (!isAboutToWait(at)) return true;
  for (const waiting of m.waiting) if (waiting !== frame && !after.has(waiting) && (label & ~waiting.entry) !== 0) return true;
  if (m.queue.some((job) => job.kind === "reaction" && runs(job.reaction))) return true;
  return m.calls.some((call) => (call.state === "waiting" || call.state === "started") && call.promise.reactions.some(runs));
}

function runsProgram(reaction: Reaction, label: number): boolean {
  return reaction.kind === "then" && (label & ~reaction.label) !== 0 && (isOwn(reaction.fulfilled) || isOwn(reaction.rejected));
}

function isOwn(callback: Value): boolean {
  return callback instanceof FunctionValue && !callback.unit.builtin;
}
