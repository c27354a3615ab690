/** What is awaited; rejects as soon as `signal` is aborted, and leaves no listener behind. */
export function untilAborted<Value>(awaited: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    void awaited.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
