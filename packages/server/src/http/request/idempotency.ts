import type { Answers } from "@toolrack/store";
import { Problem } from "../reply/problem.ts";
import type { RouteAnswer } from "../route.ts";

export interface KeyedRequest {
  /** What the client calls its request. */
  readonly key: string;
  /** Who asks: answers are bounded for each caller. */
  readonly caller: string;
  /** Who asks, and for which operation: keys of different ones do not meet. */
  readonly scope: string;
  /** All that was asked. */
  readonly request: unknown;
  /** Whether doing it twice is the same as doing it once. */
  readonly mayRepeat: boolean;
}

/** Gives the first answer again to a request that comes again with the same Idempotency-Key, also on another server of the store. */
export async function answerOnce(
  answers: Answers,
  { key, caller, scope, request, mayRepeat }: KeyedRequest,
  make: () => Promise<RouteAnswer>,
): Promise<RouteAnswer> {
  if (!/^[!-~]{1,255}$/.test(key))
    throw new Problem(400, "REQUEST_INVALID", "An Idempotency-Key is 1 to 255 visible characters, for instance a UUID.");
  // Problems are thrown, so they are not kept: what failed may be tried again.
  const answered = await answers.once({
    key: JSON.stringify([scope, key]),
    caller,
    request,
    make,
    settle: async () => (mayRepeat ? "again" : "unknown"),
  });
  switch (answered.outcome) {
    case "answered":
      return answered.value;
    case "different":
      throw new Problem(422, "IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key came before with another request. Use a new one.");
    case "unknown":
      throw new Problem(
        409,
        "OUTCOME_UNKNOWN",
        "The server that worked on a request with this Idempotency-Key ended before its answer was kept; whether it was done is not known. Check, then use a new key.",
      );
    case "running":
      throw new Problem(409, "ALREADY_THERE", "A request with this Idempotency-Key is still under way. Ask again later.", {
        retryAfterMs: 1_000,
      });
    case "not-kept":
      throw new Problem(409, "ALREADY_THERE", "A request with this Idempotency-Key was done, and its answer was too long to be kept.");
  }
}
