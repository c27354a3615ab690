import type { CallRecord, Recorder } from "@toolrack/core";

/**
 * Tells of each call of this server when it ended, those that tools make included. The registry's events tell more, and while somebody
 * listens to them they cost as much as a call: for those who always listen there is this.
 */
export interface CallEnds {
  /** Answers the function that stops it. */
  subscribe(listener: (call: CallRecord) => void): () => void;
}

/** The same recorder, whose records are told before they are written. */
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
