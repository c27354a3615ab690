/** What was waited for, or undefined when the time is over or the wait is cancelled. Leaves no timer behind. */
export async function waitUpTo<Value>(awaited: Promise<Value>, timeoutMs: number, signal: AbortSignal): Promise<Value | undefined> {
  if (signal.aborted) return undefined;
  let giveUp = (): void => {};
  const over = new Promise<undefined>((resolve) => (giveUp = () => resolve(undefined)));
  const timer = setTimeout(giveUp, timeoutMs);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([awaited, over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}
