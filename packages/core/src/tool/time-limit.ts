import { longestTimerMs } from "../util/longest-timer.ts";

/** How long a handler may take if neither the call nor the tool nor the registry says otherwise: five minutes. */
export const defaultTimeoutMs = 300_000;

export function tookTooLong(tool: string, timeoutMs: number): string {
  return `Tool "${tool}" did not finish within ${timeoutMs} ms. Ask for less, or raise limits.timeoutMs.`;
}

export function timeoutReason(timeoutMs: number): Error {
  return new DOMException(`Timed out after ${timeoutMs} ms`, "TimeoutError");
}

/** What the work resolves to, or what `late` returns when the time is over. Rejects as the work does. */
export async function withinTime<Value>(work: Promise<Value>, timeoutMs: number, late: () => Value): Promise<Value> {
  if (timeoutMs > longestTimerMs) return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(late()), timeoutMs);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
