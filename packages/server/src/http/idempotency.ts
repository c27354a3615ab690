import { createHash } from "node:crypto";
import { Problem } from "./problem.ts";
import type { RouteAnswer } from "./route.ts";

/** Gives the first answer again to a request that comes again with the same Idempotency-Key. Bounded in number and time. */
export interface Idempotency {
  /** `scope` is the caller and the operation, `request` all that was asked. Throws where the key came before with something else. */
  run(scope: string, key: string, request: unknown, work: () => Promise<RouteAnswer>): Promise<RouteAnswer>;
}

interface Kept {
  readonly fingerprint: string;
  readonly answer: Promise<RouteAnswer>;
  readonly until: number;
}

export function createIdempotency(now: () => number = () => performance.now()): Idempotency {
  const kept = new Map<string, Kept>();

  function forget(): void {
    for (const [place, { until }] of kept) {
      if (until > now() && kept.size < maxKept) return;
      kept.delete(place);
    }
  }

  return {
    run(scope, key, request, work) {
      if (!/^[!-~]{1,255}$/.test(key))
        throw new Problem(400, "REQUEST_INVALID", "An Idempotency-Key is 1 to 255 visible characters, for instance a UUID.");
      forget();
      const place = `${scope} ${key}`;
      const fingerprint = createHash("sha256").update(JSON.stringify(request)).digest("base64");
      const known = kept.get(place);
      if (known !== undefined && known.until > now()) {
        if (known.fingerprint === fingerprint) return known.answer;
        throw new Problem(422, "IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key came before with another request. Use a new one.");
      }
      const answer = work();
      kept.set(place, { fingerprint, answer, until: now() + keepMs });
      // What failed may be tried again.
      answer.catch(() => kept.delete(place));
      return answer;
    },
  };
}

const keepMs = 3_600_000;
const maxKept = 1_000;
