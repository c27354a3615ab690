import type { Answers } from "@toolrack/store";
import { Problem } from "../reply/problem.ts";
import type { RouteAnswer } from "../route.ts";

export interface KeyedRequest {
  /** The Idempotency-Key of the client. */
  readonly key: string;
  /** The caller: stored answers are limited for each caller. */
  readonly caller: string;
  /** The caller and the operation: keys of different scopes are independent. */
  readonly scope: string;
  /** The whole request. */
  readonly request: unknown;
  /** Whether the operation is idempotent. */
  readonly mayRepeat: boolean;
}

/** Answers a repeated request with the same Idempotency-Key with the first answer, also on another server of the store. */
export async function answerOnce(
  answers: Answers,
  { key, caller, scope, request, mayRepeat }: KeyedRequest,
  make: () => Promise<RouteAnswer>,
): Promise<RouteAnswer> {
  if (!/^[!-~]{1,255}$/.test(key))
    throw new Problem(400, "REQUEST_INVALID", "An Idempotency-Key is 1 to 255 visible characters, for instance a UUID.");
  // Problems are thrown, so they are not stored: a failed request may be retried.
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
      throw new Problem(422, "IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used for a different request. Use a new one.");
    case "unknown":
      throw new Problem(
        409,
        "OUTCOME_UNKNOWN",
        "The server that worked on a request with this Idempotency-Key ended before its answer was stored; whether the request was completed is unknown. Check, then use a new key.",
      );
    case "running":
      throw new Problem(409, "ALREADY_THERE", "A request with this Idempotency-Key is still running. Try again later.", {
        retryAfterMs: 1_000,
      });
    case "not-kept":
      throw new Problem(
        409,
        "ALREADY_THERE",
        "A request with this Idempotency-Key was completed, but its answer was too large to be stored.",
      );
  }
}
