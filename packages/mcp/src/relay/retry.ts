import { untilAborted } from "@toolrack/core/internal";

/** Waits before the next try: 0.2 s, doubled each time, at most 10 s. Rejects as soon as the signal is aborted. */
export async function pauseBeforeTry(tries: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.min(200 * 2 ** tries, 10_000))));
  await untilAborted(pause, signal).finally(() => clearTimeout(timer));
}
