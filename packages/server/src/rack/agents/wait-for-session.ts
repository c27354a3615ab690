import { onAbort } from "@toolrack/core/internal";
import type { SessionStore } from "@toolrack/store";

/** Resolves with the next change of a session, and from time to time: another server may run it. Any number may wait with one signal. */
export function nextChange(sessions: Pick<SessionStore, "onChange">, id: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop();
      leave();
      resolve();
    };
    const timer = setTimeout(done, lookEveryMs);
    const stop = sessions.onChange((changed) => void (changed === id && done()));
    const leave = onAbort(signal, done);
  });
}

const lookEveryMs = 1_000;

/** Resolves when the promise is settled, or the signal is aborted. Any number may wait with one signal. */
export async function untilAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let leave!: () => void;
  const left = new Promise<void>((resolve) => (leave = onAbort(signal, resolve)));
  try {
    await Promise.race([promise, left]);
  } finally {
    leave();
  }
}
