import type { Limits } from "./limits.ts";
import { Problem } from "./problem.ts";

/** Counts the event streams that are open. */
export interface Streams {
  readonly open: number;
  /** Throws TOO_MANY_STREAMS; answers what to do when the stream has ended, once or more often. */
  enter(caller: string): () => void;
}

export function createStreams({ streams, streamsPerCaller }: Pick<Limits, "streams" | "streamsPerCaller">): Streams {
  const byCaller = new Map<string, number>();
  let open = 0;
  return {
    get open() {
      return open;
    },
    enter(caller) {
      const own = byCaller.get(caller) ?? 0;
      if (own >= streamsPerCaller) throw tooMany(`You have ${own} streams open, and more are not allowed. Close one first.`);
      if (open >= streams) throw tooMany("The server has as many streams open as it allows. Try again later.");
      byCaller.set(caller, own + 1);
      open += 1;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        open -= 1;
        const left = byCaller.get(caller)! - 1;
        if (left === 0) byCaller.delete(caller);
        else byCaller.set(caller, left);
      };
    },
  };
}

function tooMany(detail: string): Problem {
  return new Problem(429, "TOO_MANY_STREAMS", detail, { retryAfterMs: 1_000 });
}
