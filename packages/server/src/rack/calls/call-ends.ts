import type { CallRecord, Recorder } from "@toolrack/core";

/**
 * Reports each call of this server when it ended, including calls made by tools. The events of the registry report more, but cost as much
 * as a call while somebody listens; this is for permanent listeners.
 */
export interface CallEnds {
  /** Returns a function that stops it. */
  subscribe(listener: (call: CallRecord) => void): () => void;
}

/** The same recorder; listeners get each record before it is written. */
export function tellEnds(recorder: Recorder): CallEnds & { readonly recorder: Recorder } {
  const listeners = new Set<(call: CallRecord) => void>();
  return {
    recorder: {
      ...recorder,
      record(call) {
        for (const listener of listeners) listener(call);
        return recorder.record(call);
      },
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
