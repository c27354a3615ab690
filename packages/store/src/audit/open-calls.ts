import type { CallStart } from "@toolrack/core";
import type { Redact } from "./redact.ts";

/** A call of this process that began, with what was kept of it then. */
export interface OpenCall {
  readonly start: CallStart;
  /** How its texts were redacted. */
  readonly redact: Redact;
  /** JSON. */
  readonly caller: string;
  readonly input: string | undefined;
  /** Where it stands while it runs. */
  slip: Slip | undefined;
}

/** A note on which some calls stand that run: a note for each would cost more than the line of its end. */
export interface Slip {
  readonly name: string;
  readonly calls: Set<OpenCall>;
}

export interface OpenCalls {
  add(call: OpenCall): void;
  /** Answers the call that ended, of several with this name the one that began last, and forgets it. */
  take(callId: string): OpenCall | undefined;
}

export function createOpenCalls(): OpenCalls {
  const newest = new Map<string, Entry>();
  return {
    add(call) {
      const { callId } = call.start;
      newest.set(callId, { call, older: newest.get(callId) });
    },
    take(callId) {
      const entry = newest.get(callId);
      if (entry?.older === undefined) newest.delete(callId);
      else newest.set(callId, entry.older);
      return entry?.call;
    },
  };
}

type Entry = { readonly call: OpenCall; readonly older: Entry | undefined };
