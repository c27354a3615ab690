import { Problem } from "../reply/problem.ts";

/** Limits the requests per second of each caller; bursts of twice as many are allowed. */
export interface Rates {
  /** Throws TOO_MANY_REQUESTS, with the time to wait, if the caller is over its limit. */
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

/** Drops the oldest entries: a busy caller loses at most its used-up share. */
function forgetOldest(buckets: Map<string, Bucket>): void {
  let left = maxBuckets / 10;
  for (const caller of buckets.keys()) {
    buckets.delete(caller);
    if (--left <= 0) return;
  }
}
