/** All who wait for one signal, behind a single listener of it. */
export interface AbortWatchers {
  add(watcher: () => void): void;
  remove(watcher: () => void): void;
}

const bySignal = new WeakMap<AbortSignal, Watchers>();

/**
 * Many calls share one signal, and most of them end before it is aborted. Adding and removing a listener for each costs more than
 * the rest of a call, so the signal gets one, which goes away in the turn after the last call ended. AbortSignal.any would
 * keep memory on a long-lived signal.
 */
export function watchersOf(signal: AbortSignal): AbortWatchers {
  let watchers = bySignal.get(signal);
  if (watchers === undefined) bySignal.set(signal, (watchers = new Watchers(signal)));
  return watchers;
}

class Watchers implements AbortWatchers {
  readonly #signal: AbortSignal;
  readonly #waiting = new Set<() => void>();
  #isListening = false;
  #isIdle = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(watcher: () => void): void {
    this.#waiting.add(watcher);
    if (this.#isListening) return;
    this.#isListening = true;
    this.#signal.addEventListener("abort", this.#abort, { once: true });
  }

  remove(watcher: () => void): void {
    this.#waiting.delete(watcher);
    if (this.#waiting.size > 0 || this.#isIdle) return;
    this.#isIdle = true;
    leaveLater(this);
  }

  leaveIfIdle(): void {
    this.#isIdle = false;
    if (this.#waiting.size > 0 || !this.#isListening) return;
    this.#isListening = false;
    this.#signal.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => {
    this.#isListening = false;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const watcher of waiting) watcher();
  };
}

let idle: Watchers[] = [];

/** One look at all that became idle in this turn, when the turn is over. */
function leaveLater(watchers: Watchers): void {
  if (idle.push(watchers) > 1) return;
  setImmediate(() => {
    const left = idle;
    idle = [];
    for (const one of left) one.leaveIfIdle();
  });
}
