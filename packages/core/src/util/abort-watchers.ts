import { afterTurn } from "#after-turn";
import type { AbortSignal } from "./abort-signal.ts";

/** All actions that wait for one signal, behind a single listener. */
export interface AbortWatchers {
  add(watcher: AbortWatcher): void;
  remove(watcher: AbortWatcher): void;
}

/** The watcher is the list node itself: a set would have to give each a number, which costs more than the list. */
export interface AbortWatcher {
  before: AbortWatcher | undefined;
  after: AbortWatcher | undefined;
  waitsFor: AbortWatchers | undefined;
  abort(): void;
}

/**
 * Runs `action` when the signal is aborted, at once where it already is, until the returned function is called. Any number of actions may wait
 * for one signal that lives long.
 */
export function onAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  if (signal === undefined) return nothing;
  if (signal.aborted) {
    action();
    return nothing;
  }
  const watcher = new Action(action);
  watchersOf(signal).add(watcher);
  return () => watcher.waitsFor?.remove(watcher);
}

function nothing(): void {}

class Action implements AbortWatcher {
  before: AbortWatcher | undefined = undefined;
  after: AbortWatcher | undefined = undefined;
  waitsFor: AbortWatchers | undefined = undefined;
  readonly abort: () => void;

  constructor(action: () => void) {
    this.abort = action;
  }
}

const bySignal = new WeakMap<AbortSignal, Watchers>();

/**
 * Many calls share one signal, and most of them end before it is aborted. Adding and removing a listener for each costs more than
 * the rest of a call, so the signal gets one, which goes away in the turn after the last call ended. AbortSignal.any would
 * keep memory on a long-lived signal.
 */
export function watchersOf(signal: AbortSignal): AbortWatchers {
  if (signal === usedLast?.signal) return usedLast;
  let watchers = bySignal.get(signal);
  if (watchers === undefined) bySignal.set(signal, (watchers = new Watchers(signal)));
  return (usedLast = watchers);
}

/** The same signal is often used many times in a row. Released when nothing waits for it any more. */
let usedLast: Watchers | undefined;

class Watchers implements AbortWatchers {
  readonly signal: AbortSignal;
  latest: AbortWatcher | undefined = undefined;
  isListening = false;
  isLeaving = false;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  add(watcher: AbortWatcher): void {
    if (watcher.waitsFor !== undefined) return;
    watcher.waitsFor = this;
    watcher.before = this.latest;
    if (this.latest !== undefined) this.latest.after = watcher;
    this.latest = watcher;
    if (this.isListening) return;
    this.isListening = true;
    this.signal.addEventListener("abort", this.abort, { once: true });
  }

  remove(watcher: AbortWatcher): void {
    if (watcher.waitsFor !== this) return;
    const { before, after } = watcher;
    if (before !== undefined) before.after = after;
    if (after === undefined) this.latest = before;
    else after.before = before;
    watcher.waitsFor = watcher.before = watcher.after = undefined;
    if (this.latest !== undefined || this.isLeaving) return;
    this.isLeaving = true;
    afterTurn(this.leaveIfIdle);
  }

  readonly leaveIfIdle = (): void => {
    this.isLeaving = false;
    if (usedLast === this) usedLast = undefined;
    if (this.latest !== undefined || !this.isListening) return;
    this.isListening = false;
    this.signal.removeEventListener("abort", this.abort);
  };

  readonly abort = (): void => {
    this.isListening = false;
    const waiting: AbortWatcher[] = [];
    for (let watcher = this.latest; watcher !== undefined; watcher = watcher.before) waiting.push(watcher);
    for (const watcher of waiting.reverse()) {
      if (watcher.waitsFor !== this) continue; // another one's end was its end too
      this.remove(watcher);
      watcher.abort();
    }
  };
}
