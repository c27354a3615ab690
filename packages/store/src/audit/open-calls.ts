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
  slip: Slip | undefined;
  isOver: boolean;
}

/** A note on which some calls stand that run: a note for each would cost more than the line of its end. */
export interface Slip {
  name: string;
  readonly calls: readonly OpenCall[];
  /** How many of them run. */
  running: number;
}

export interface OpenCalls {
  add(start: CallStart): OpenCall;
  /** Answers the call that ended, of several with this name the one that began last, and forgets it. */
  take(callId: string): OpenCall | undefined;
  all(): Iterable<OpenCall>;
}

export function createOpenCalls(): OpenCalls {
  const newest = new Map<string, Entry>();
  return {
    add(start) {
      const call: OpenCall = { start, text: undefined, server: undefined, slip: undefined, isOver: false };
      newest.set(start.callId, { call, older: newest.get(start.callId) });
      return call;
    },
    take(callId) {
      const entry = newest.get(callId);
      if (entry?.older === undefined) newest.delete(callId);
      else newest.set(callId, entry.older);
      return entry?.call;
    },
    *all() {
      for (const entry of newest.values()) for (let each: Entry | undefined = entry; each !== undefined; each = each.older) yield each.call;
    },
  };
}

type Entry = { readonly call: OpenCall; readonly older: Entry | undefined };
