import type { CallStart } from "@toolrack/core";
import type { RequestText } from "./call-text.ts";

/** A call of this process that began. */
export interface OpenCall {
  readonly start: CallStart;
  /** What was written down of it; undefined before that. */
  text: RequestText | undefined;
  /** The name of the server under whose lease it was noted; undefined before that. */
  server: string | undefined;
  /** Where it stands while it runs. */
  batch: RunningBatch | undefined;
  isOver: boolean;
}

/** A note on which some calls stand that run: a note for each would cost more than the line of its end. */
export interface RunningBatch {
  name: string;
  readonly calls: readonly OpenCall[];
  /** How many of them run. */
  running: number;
}

export interface OpenCalls {
  add(start: CallStart): OpenCall;
  /** Answers the call that ended, of several with this name the one that began last, and forgets it. */
  take(callId: string): OpenCall | undefined;
  /** Takes back a call that did not begin after all. */
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
