import { Problem } from "../reply/problem.ts";

/** Counts requests of each caller: so many in a second on average, twice as many at once. */
export interface Rates {
  /** Throws TOO_MANY_REQUESTS, with the time to wait, where the caller has used up its share. */
  take(caller: string): void;
}

interface Bucket {
  tokens: number;
  at: number;
}

export function createRates(perSecond: number, now: () => number = () => performance.now()): Rates {
  const size = Math.max(1, perSecond * 2);
  const buckets = new Map<string, Bucket>();

  return {
    take(caller) {
      const at = now();
      let bucket = buckets.get(caller);
      if (bucket === undefined) {
        if (buckets.size >= maxBuckets) forgetOldest(buckets);
        buckets.set(caller, (bucket = { tokens: size, at }));
      }
      bucket.tokens = Math.min(size, bucket.tokens + ((at - bucket.at) / 1_000) * perSecond);
      bucket.at = at;
      if (bucket.tokens < 1) {
        const retryAfterMs = Math.ceil(((1 - bucket.tokens) / perSecond) * 1_000);
        throw new Problem(429, "TOO_MANY_REQUESTS", `More than ${perSecond} requests a second. Wait ${retryAfterMs} ms and try again.`, {
          retryAfterMs,
        });
      }
      bucket.tokens -= 1;
    },
  };
}

const maxBuckets = 10_000;

/** Those who came first: a caller who is busy now loses at most what it had used up. */
function forgetOldest(buckets: Map<string, Bucket>): void {
  let left = maxBuckets / 10;
  for (const caller of buckets.keys()) {
    buckets.delete(caller);
    if (--left <= 0) return;
  }
}
