import { Problem } from "../reply/problem.ts";

/** Counts what callers do at the same time: so much for each, and so much for all. */
export interface Seats {
  /** How many are taken. */
  readonly taken: number;
  /** Throws a problem with status 429 where none is free; answers how to give the seat back, once or more often. */
  enter(caller: string): () => void;
}

export interface SeatOptions {
  readonly perCaller: number;
  readonly total: number;
  readonly code: "TOO_MANY_REQUESTS" | "TOO_MANY_STREAMS";
  /** What is counted: "streams open". */
  readonly what: string;
}

export function createSeats({ perCaller, total, code, what }: SeatOptions): Seats {
  const byCaller = new Map<string, number>();
  let taken = 0;
  const refuse = (detail: string): Problem => new Problem(429, code, detail, { retryAfterMs: 1_000 });
  return {
    get taken() {
      return taken;
    },
    enter(caller) {
      const own = byCaller.get(caller) ?? 0;
      if (own >= perCaller) throw refuse(`You have ${own} ${what}, and more are not allowed. Wait until one has ended, and try again.`);
      if (taken >= total) throw refuse(`The server has as many ${what} as it allows. Try again later.`);
      byCaller.set(caller, own + 1);
      taken += 1;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        taken -= 1;
        const left = byCaller.get(caller)! - 1;
        if (left === 0) byCaller.delete(caller);
        else byCaller.set(caller, left);
      };
    },
  };
}
