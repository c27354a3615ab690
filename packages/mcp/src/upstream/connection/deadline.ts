/** Runs something that listens to its signal: aborted when the time is up, or with `parent`. */
export async function withDeadline<Value>(ms: number, parent: AbortSignal, run: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  parent.throwIfAborted();
  const controller = new AbortController();
  const forward = (): void => controller.abort(parent.reason);
  parent.addEventListener("abort", forward, { once: true });
  const timer = setTimeout(() => controller.abort(new DOMException(`Timed out after ${ms} ms`, "TimeoutError")), ms);
  try {
    return await run(controller.signal);
  } catch (error) {
    // What a half-made connection says when it is taken away is not the reason.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    parent.removeEventListener("abort", forward);
  }
}
