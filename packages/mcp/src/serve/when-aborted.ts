/**
 * Tells a listener when a signal is aborted, at once where it is, until the function that it returns is called. Many may listen to one
 * signal that lives long: each would otherwise cost as much to add as there are others.
 */
export function whenAborted(signal: AbortSignal | undefined, listener: (reason: string) => void): () => void {
  if (signal === undefined) return nothing;
  if (signal.aborted) {
    listener(reasonOf(signal));
    return nothing;
  }
  let listeners = all.get(signal);
  if (listeners === undefined) {
    const told = (listeners = new Set());
    all.set(signal, told);
    signal.addEventListener("abort", () => told.forEach((tell) => tell(reasonOf(signal))), { once: true });
  }
  const own = (reason: string): void => listener(reason);
  listeners.add(own);
  return () => void listeners.delete(own);
}

const all = new WeakMap<AbortSignal, Set<(reason: string) => void>>();

function nothing(): void {}

/** "The API key was revoked." */
function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : "The sign-in has ended.";
}
