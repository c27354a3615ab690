import type { Limits } from "./limits.ts";
import { createConcurrencyLimit } from "./concurrency.ts";

/** Limits the open event streams. */
export interface Streams {
  readonly open: number;
  /** Throws TOO_MANY_STREAMS at the limit. Returns a function that ends the stream; calling it twice does nothing. */
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
