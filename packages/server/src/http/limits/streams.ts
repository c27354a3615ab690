import type { Limits } from "./limits.ts";
import { createConcurrencyLimit } from "./concurrency.ts";

/** Counts the event streams that are open. */
export interface Streams {
  readonly open: number;
  /** Throws TOO_MANY_STREAMS; answers what to do when the stream has ended, once or more often. */
  enter(caller: string): () => void;
}

export function createStreams({ streams, streamsPerCaller }: Pick<Limits, "streams" | "streamsPerCaller">): Streams {
  const limit = createConcurrencyLimit({ perCaller: streamsPerCaller, total: streams, code: "TOO_MANY_STREAMS", what: "streams open" });
  return {
    get open() {
      return limit.taken;
    },
    enter: (caller) => limit.enter(caller),
  };
}
