import type { Clock } from "@toolrack/core/node";
import { StoreError } from "@toolrack/store";

/** What the latest probe of the store found, and whether the server counts as able to use it. */
export interface ProbedStore<Facts> {
  /** "slow": it has not answered within two seconds. "read-only": it can be read, but not written. */
  readonly store: "ok" | "slow" | "full" | "read-only" | "unavailable";
  /** False once three probes in a row were refused, once none was answered for 30 seconds, and before the first was answered. */
  readonly isUsable: boolean;
  /** What was read last, if the server counts as able to use the store. */
  readonly facts: Facts | undefined;
  readonly error: unknown;
}

export interface StoreProbeOptions<Facts> {
  write(): Promise<unknown>;
  read(): Promise<Facts>;
  /** Whether the disk has room left. */
  hasRoom(): Promise<boolean>;
  readonly clock: Clock;
}

/** How long a probe may take before the store counts as slow. */
export const checkMs = 2_000;
const mostRefused = 3;
const mostUnansweredMs = 30_000;

/**
 * Probes the store by a write and a read, and judges it by the probes in a row: a store that is slow for everybody must not take every server
 * away from the load balancer, and one refusal may be a failover. Resolves after two seconds at most.
 */
export function createStoreProbe<Facts>({ write, read, hasRoom, clock }: StoreProbeOptions<Facts>): () => Promise<ProbedStore<Facts>> {
  const writing = createQuestion(write, clock);
  const reading = createQuestion(read, clock);
  let hasAnswered = false;
  let facts: Facts | undefined;
  let refused = 0;
  let unansweredSince: number | undefined;

  return async () => {
    const [written, seen] = await Promise.all([writing(), reading()]);
    if (seen.is === "answered") facts = seen.value;
    const isFull = written.is === "answered" && !(await hasRoom());
    if (written.is === "answered" && seen.is === "answered" && !isFull) {
      hasAnswered = true;
      refused = 0;
      unansweredSince = undefined;
      return { store: "ok", isUsable: true, facts, error: undefined };
    }
    const isRefused = isFull || written.is === "refused" || seen.is === "refused";
    if (isRefused) refused++;
    for (const answer of [written, seen])
      if (answer.is === "late") unansweredSince = Math.min(unansweredSince ?? answer.since, answer.since);
    const isHanging = unansweredSince !== undefined && clock.now() - unansweredSince >= mostUnansweredMs;
    const isUsable = hasAnswered && refused < mostRefused && !isHanging;
    const store = isFull ? "full" : isRefused ? wordOf(written, seen) : isUsable ? "slow" : "unavailable";
    const known = isUsable || seen.is === "answered" ? facts : undefined;
    return { store, isUsable, facts: known, error: [written, seen].find((answer) => answer.is !== "answered")?.error };
  };
}

type Answer<Value> =
  | { readonly is: "answered"; readonly value: Value }
  | { readonly is: "refused"; readonly error: unknown }
  /** There is no answer within the time of a probe, or one that refuses after it: a hanging database gives up at some time. */
  | { readonly is: "late"; readonly since: number; readonly error: unknown };

/** Asks the store, once at a time: while it hangs, the next probes wait for the same answer. */
function createQuestion<Value>(ask: () => Promise<Value>, clock: Clock): () => Promise<Answer<Value>> {
  let open: { readonly since: number; readonly answer: Promise<Answer<Value>> } | undefined;

  function begin(): NonNullable<typeof open> {
    const since = clock.now();
    const refusal = (error: unknown): Answer<Value> =>
      clock.now() - since >= checkMs ? { is: "late", since, error } : { is: "refused", error };
    const answer = ask()
      .then((value): Answer<Value> => ({ is: "answered", value }), refusal)
      .finally(() => (open = undefined));
    return { since, answer };
  }

  return async () => {
    const { since, answer } = (open ??= begin());
    let cancel: (() => void) | undefined;
    const late = new Promise<Answer<Value>>((resolve) => {
      const error = new Error(`No answer within ${checkMs} ms.`);
      cancel = clock.after(checkMs, () => resolve({ is: "late", since, error }));
    });
    const first = await Promise.race([answer, late]);
    cancel?.();
    return first;
  };
}

/** Why a store that refuses does so. */
function wordOf(written: Answer<unknown>, seen: Answer<unknown>): "full" | "read-only" | "unavailable" {
  if (written.is !== "refused" || seen.is !== "answered") return "unavailable";
  return StoreError.is(written.error) && written.error.code === "STORE_FULL" ? "full" : "read-only";
}
