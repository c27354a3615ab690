/** How long to wait before the next try: 0.2 s, doubled each time, at most 10 s. */
export function retryAfterMs(tries: number): number {
  return Math.min(200 * 2 ** tries, 10_000);
}
