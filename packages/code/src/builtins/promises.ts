import type { Machine } from "../machine/machine.ts";
import { rejectPromise, react, timingSoFar, toPromise } from "../machine/promises.ts";
import { applyFunction } from "../machine/effects.ts";
import { FunctionValue, PromiseValue, ResolverValue, type ArrayValue, type Value } from "../machine/values.ts";
import { argLabel, contextOf, inPrelude, native, type Library } from "./define.ts";
import { sizes } from "../machine/sizes.ts";

function promiseOf(m: Machine, self: Value): PromiseValue {
  if (!(self instanceof PromiseValue)) m.fail("TypeError", "This method needs a promise.");
  return self;
}

function then(m: Machine, self: Value, fulfilled: Value, rejected: Value): PromiseValue {
  const promise = promiseOf(m, self);
  const result = new PromiseValue();
  m.allocate(sizes.promise);
  result.locked = true;
  result.timing |= timingSoFar(promise);
  if (m.selfLabel !== 0) {
    // Another promise might have ended in another way, or never.
    const how = { label: m.selfLabel | contextOf(m), done: new Map() };
    for (const callback of [fulfilled, rejected]) if (callback instanceof FunctionValue) applyFunction(m, callback, [], [], how);
  }
  react(m, promise, { kind: "then", fulfilled, rejected, result, label: contextOf(m) | m.touched });
  m.touched = m.selfLabel;
  return result;
}

/** What decided which of several promises came first: all of them, also those that are still pending. */
function entrants(m: Machine, items: ArrayValue): number {
  let label = items.shape | items.all;
  m.follow(items.items.length);
  for (const [at, item] of items.items.entries()) {
    label |= items.labels?.[at] ?? 0;
    if (!(item instanceof PromiseValue)) continue;
    label |= item.timing | item.settledBy;
    if (item.state !== "pending") label |= item.label;
    else if (item.frame !== undefined) {
      label |= item.frame.timing | item.frame.context;
      for (const context of item.frame.contexts) label |= context;
    }
  }
  return label | m.touched;
}

export const promiseLibrary: Library = {
  functions: [
    { name: "Promise", length: 1, constructPrelude: "Promise_new" },
    native("Promise.resolve", 1, (m, _self, [value]) => {
      const promise = toPromise(m, value, argLabel(m, 0));
      m.touched = argLabel(m, 0);
      return promise;
    }),
    native("Promise.reject", 1, (m, _self, [value]) => {
      const promise = new PromiseValue();
      m.allocate(sizes.promise);
      rejectPromise(m, promise, value, argLabel(m, 0), contextOf(m));
      m.touched = 0;
      return promise;
    }),
    native("Promise.prototype.then", 2, (m, self, [fulfilled, rejected]) => then(m, self, fulfilled, rejected)),
    native("Promise.prototype.catch", 1, (m, self, [rejected]) => then(m, self, undefined, rejected)),
    inPrelude("Promise.prototype.finally", 1, "Promise_finally"),
    inPrelude("Promise.all", 1, "Promise_all"),
    inPrelude("Promise.allSettled", 1, "Promise_allSettled"),
    inPrelude("Promise.race", 1, "Promise_race"),
    inPrelude("Promise.any", 1, "Promise_any"),
    native("$promise", 0, (m) => {
      m.allocate(sizes.promise);
      return new PromiseValue();
    }),
    native("$resolver", 2, (_m, _self, [promise, rejects]) => new ResolverValue(promise as PromiseValue, rejects === true)),
    native("$outcome", 2, (m, _self, [item, status]) => {
      m.touched = item instanceof PromiseValue ? item.outcome : 0;
      return status;
    }),
    native("$entrants", 2, (m, _self, [items, value]) => {
      if (m.tracked) m.touched = entrants(m, items as ArrayValue);
      return value;
    }),
  ],
};
