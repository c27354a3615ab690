import type { CallStart } from "@toolrack/core";
import type { RequestText } from "./call-text.ts";

/** A call of this process that began. */
export interface OpenCall {
  readonly start: CallStart;
  /** Its text for the log; undefined until it is prepared. */
  text: RequestText | undefined;
  /** The server name under which it was recorded as running; undefined before that. */
  server: string | undefined;
  /** The batch that records it as running. */
  batch: RunningBatch | undefined;
  isOver: boolean;
}

/** A note with several running calls: one note per call would cost more than the line of its end. */
export interface RunningBatch {
  name: string;
  readonly calls: readonly OpenCall[];
  /** How many of them run. */
  running: number;
}

export interface OpenCalls {
  add(start: CallStart): OpenCall;
  /** Removes and returns the call with this id; of several, the one that began last. */
  take(callId: string): OpenCall | undefined;
  /** Removes a call whose begin was not recorded. */
  remove(call: OpenCall): void;
  all(): Iterable<OpenCall>;
}

export function createOpenCalls(): OpenCalls {
  const newest = new Map<string, Entry>();
  return {
    add(start) {
      const call: OpenCall = { start, text: undefined, server: undefined, batch: undefined, isOver: false };
      newest.set(start.callId, { call, older: newest.get(start.callId) });
      return call;
    },
    take(callId) {
      const entry = newest.get(callId);
      if (entry?.older === undefined) newest.delete(callId);
      else newest.set(callId, entry.older);
      return entry?.call;
    },
    remove(call) {
      const { callId } = call.start;
      call.isOver = true;
      const others = [...chainOf(newest.get(callId))].filter((other) => other !== call);
      newest.delete(callId);
      for (const other of others.reverse()) newest.set(callId, { call: other, older: newest.get(callId) });
    },
    *all() {
      for (const entry of newest.values()) for (let each: Entry | undefined = entry; each !== undefined; each = each.older) yield each.call;
    },
  };
}

function* chainOf(entry: Entry | undefined): Generator<OpenCall> {
  for (let one = entry; one !== undefined; one = one.older) yield one.call;
}

type Entry = { readonly call: OpenCall; readonly older: Entry | undefined };
