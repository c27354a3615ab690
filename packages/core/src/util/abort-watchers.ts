import { afterTurn } from "./after-turn.ts";

/** All who wait for one signal, behind a single listener of it. */
export interface AbortWatchers {
  add(watcher: AbortWatcher): void;
  remove(watcher: AbortWatcher): void;
}

/** The watcher is the list node itself: a set would have to give each a number, which costs more than the list. */
export abstract class AbortWatcher {
  before: AbortWatcher | undefined = undefined;
  after: AbortWatcher | undefined = undefined;
  waitsFor: AbortWatchers | undefined = undefined;
  abstract abort(): void;
}

/** Runs `action` when the signal is aborted, until the returned function is called. */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  const watcher = new Action(action);
  watchersOf(signal).add(watcher);
  return () => watcher.waitsFor?.remove(watcher);
}

class Action extends AbortWatcher {
  readonly #action: () => void;

  constructor(action: () => void) {
    super();
    this.#action = action;
  }

  override abort(): void {
    this.#action();
  }
}

const bySignal = new WeakMap<AbortSignal, Watchers>();

/**
 * Many calls share one signal, and most of them end before it is aborted. Adding and removing a listener for each costs more than
 * the rest of a call, so the signal gets one, which goes away in the turn after the last call ended. AbortSignal.any would
 * keep memory on a long-lived signal.
 */
export function watchersOf(signal: AbortSignal): AbortWatchers {
  if (signal === latest?.signal) return latest;
  let watchers = bySignal.get(signal);
  if (watchers === undefined) bySignal.set(signal, (watchers = new Watchers(signal)));
  return (latest = watchers);
}

/** One signal tends to come many times in a row. Let go when nobody waits for it any more. */
let latest: Watchers | undefined;

class Watchers implements AbortWatchers {
  readonly signal: AbortSignal;
  first: AbortWatcher | undefined = undefined;
  last: AbortWatcher | undefined = undefined;
  isListening = false;
  isLeaving = false;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  add(watcher: AbortWatcher): void {
    if (watcher.waitsFor !== undefined) return;
    watcher.waitsFor = this;
    watcher.before = this.last;
    if (this.last === undefined) this.first = watcher;
    else this.last.after = watcher;
    this.last = watcher;
    if (this.isListening) return;
    this.isListening = true;
    this.signal.addEventListener("abort", this.abort, { once: true });
  }

  remove(watcher: AbortWatcher): void {
    if (watcher.waitsFor !== this) return;
    const { before, after } = watcher;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.last = before;
    else after.before = before;
    watcher.waitsFor = watcher.before = watcher.after = undefined;
    if (this.first !== undefined || this.isLeaving) return;
    this.isLeaving = true;
    afterTurn(this.leaveIfIdle);
  }

  readonly leaveIfIdle = (): void => {
    this.isLeaving = false;
    if (latest === this) latest = undefined;
    if (this.first !== undefined || !this.isListening) return;
    this.isListening = false;
    this.signal.removeEventListener("abort", this.abort);
  };

  readonly abort = (): void => {
    this.isListening = false;
    while (this.first !== undefined) {
      const { first } = this;
      this.remove(first);
      first.abort();
    }
  };
}
