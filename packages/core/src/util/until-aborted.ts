import { onAbort } from "./abort-watchers.ts";
import type { Clock } from "./clock.ts";
import type { AbortSignal } from "./abort-signal.ts";

/** The awaited value, or a rejection with the signal's reason as soon as it is aborted. Leaves no listener behind. */
export function untilAborted<Value>(awaited: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return awaited;
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason as Error));
    void awaited.then(resolve, reject).finally(leave);
  });
}

/** Waits: true after the time, false as soon as the signal is aborted. Leaves neither a timer nor a listener behind. */
export function pause(clock: Clock, waitMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const cancel = clock.after(waitMs, () => {
      leave();
      resolve(true);
    });
    const leave = onAbort(signal, () => {
      cancel();
      resolve(false);
    });
  });
}
