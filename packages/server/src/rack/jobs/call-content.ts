import type { Caller, InvokeOptions } from "@toolrack/core";
import type { Job, JsonObject } from "@toolrack/store";
import { createMessageSealer } from "../mcp/sealed-messages.ts";

/** What a job calls. Sealed in the store: nobody but a server of it reads it, and what was changed is not run. */
export interface CallContent {
  readonly tool: string;
  readonly input: unknown;
  readonly caller: Caller;
  readonly timeoutMs?: number | false;
  readonly deliver?: InvokeOptions["deliver"];
}

export interface ContentSealer {
  seal(content: CallContent, place: Place): JsonObject;
  /** Undefined where it was changed, or sealed with another key. */
  open(job: Pick<Job, "payload" | keyof Place>): CallContent | undefined;
}

/** A content is opened only in a job of the same caller, tool and origin. */
type Place = Pick<Job, "caller" | "subject" | "origin">;

export function createContentSealer(sharedKey: Uint8Array): ContentSealer {
  const sealer = createMessageSealer(sharedKey);
  const locationOf = ({ caller, subject, origin }: Place): string => JSON.stringify(["job", caller, subject, origin]);
  return {
    seal: (content, place) => ({ sealed: sealer.seal(locationOf(place), JSON.stringify(content)) }),
    open(job) {
      const text = sealer.open(locationOf(job), String(job.payload["sealed"]));
      return text === undefined ? undefined : (JSON.parse(text) as CallContent);
    },
  };
}
