import { findInClass } from "./classes.ts";
import type { Machine } from "./machine.ts";
import { GuestThrow } from "./errors.ts";
import { isCallable, ObjectValue, PromiseValue, type Reaction, type Value } from "./values.ts";
import { sizes } from "./sizes.ts";

/** Settles a promise with a value, or makes it follow another promise. */
export function resolvePromise(m: Machine, promise: PromiseValue, value: Value, label: number, context: number): void {
  // Whether it follows another promise decides when it is settled.
  promise.timing |= label & m.waitsBy;
  if (value instanceof PromiseValue) {
    if (value === promise) return rejectPromise(m, promise, m.makeError("TypeError", "A promise cannot wait for itself."), label, context);
    promise.settledBy |= context;
    promise.label |= label;
    promise.call ??= value.call;
    promise.timing |= timingSoFar(value);
    m.queue.push({ kind: "subscribe", from: value, to: promise });
    return;
  }
  if (value instanceof ObjectValue && hasThen(value)) {
    const error = m.makeError("TypeError", "An object with its own then is not awaited by itself. Call it, or use an async function.");
    return rejectPromise(m, promise, error, label, context);
  }
  settle(m, promise, "fulfilled", value, label, context);
}

export function hasThen(value: ObjectValue): boolean {
  return isCallable(value.slots.get("then") ?? findInClass(value.cls, "then"));
}

export function rejectPromise(m: Machine, promise: PromiseValue, value: Value, label: number, context: number): void {
  if (!promise.handled) m.unseen.push(promise);
  settle(m, promise, "rejected", value, label, context);
}

function settle(m: Machine, promise: PromiseValue, state: "fulfilled" | "rejected", value: Value, label: number, context: number): void {
  if (promise.state !== "pending") return;
  promise.state = state;
  promise.locked = true;
  promise.value = value;
  promise.label |= label | context;
  promise.settledBy |= context;
  promise.frame = undefined;
  for (const reaction of promise.reactions) m.queue.push({ kind: "reaction", reaction, promise });
  promise.reactions = [];
}

export function react(m: Machine, promise: PromiseValue, reaction: Reaction): void {
  promise.handled = true;
  m.allocate(sizes.reaction);
  if (promise.state === "pending") promise.reactions.push(reaction);
  else m.queue.push({ kind: "reaction", reaction, promise });
}

/** What is known to decide when a promise settles, also while it is pending. */
export function timingSoFar({ timing, frame }: PromiseValue): number {
  return timing | (frame?.timing ?? 0);
}

/** As `Promise.resolve`. */
export function toPromise(m: Machine, value: Value, label: number): PromiseValue {
  if (value instanceof PromiseValue) return value;
  const promise = new PromiseValue();
  m.allocate(sizes.promise);
  resolvePromise(m, promise, value, label, 0);
  return promise;
}

/** What is thrown where a rejected promise is awaited, by a reference with this label. */
export function rejection(promise: PromiseValue, label: number): GuestThrow {
  return new GuestThrow(promise.value, promise.label | label);
}
