import type { SessionStore } from "@toolrack/store";

/** Resolves with the next change of a session, and from time to time: another server may run it. */
export function nextChange(sessions: Pick<SessionStore, "onChange">, id: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, lookEveryMs);
    const stop = sessions.onChange((changed) => void (changed === id && done()));
    signal.addEventListener("abort", done, { once: true });
  });
}

const lookEveryMs = 1_000;

/** Resolves when the promise does, or the signal is aborted. */
export async function untilAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let leave!: () => void;
  const left = new Promise<void>((resolve) => (leave = resolve));
  signal.addEventListener("abort", leave, { once: true });
  await Promise.race([promise, left]);
  signal.removeEventListener("abort", leave);
}
