import { Problem } from "../reply/problem.ts";
import { isStranger, strangersShare } from "./strangers.ts";

/** Limits what runs at the same time, for each caller and in total. */
export interface ConcurrencyLimit {
  /** How many are running. */
  readonly taken: number;
  /** Throws a problem with status 429 at the limit. Returns a function that ends it; calling that twice does nothing. */
  enter(caller: string): () => void;
}

export interface ConcurrencyLimitOptions {
  readonly perCaller: number;
  /** Of these, strangers have a part alone: they cannot keep out callers who signed in. */
  readonly total: number;
  readonly code: "TOO_MANY_REQUESTS" | "TOO_MANY_STREAMS";
  /** What is counted: "streams open". */
  readonly what: string;
}

export function createConcurrencyLimit({ perCaller, total, code, what }: ConcurrencyLimitOptions): ConcurrencyLimit {
  const byCaller = new Map<string, number>();
  let taken = 0;
  let ofStrangers = 0;
  const refuse = (detail: string): Problem => new Problem(429, code, detail, { retryAfterMs: 1_000 });
  return {
    get taken() {
      return taken;
    },
    enter(caller) {
      const own = byCaller.get(caller) ?? 0;
      if (own >= perCaller) throw refuse(`You have ${own} ${what}, and more are not allowed. Wait until one has ended, and try again.`);
      const stranger = isStranger(caller) ? 1 : 0;
      if (taken >= total || (stranger === 1 && ofStrangers >= strangersShare(total)))
        throw refuse(`The server has as many ${what} as it allows. Try again later.`);
      byCaller.set(caller, own + 1);
      taken += 1;
      ofStrangers += stranger;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        taken -= 1;
        ofStrangers -= stranger;
        const left = byCaller.get(caller)! - 1;
        if (left === 0) byCaller.delete(caller);
        else byCaller.set(caller, left);
      };
    },
  };
}
