import { randomUUID } from "node:crypto";
import type { CallLog } from "@toolrack/store";

/** Something that somebody did to the server itself: made a key, changed a setting, decided about a call. */
export interface Deed {
  /** "key-created" */
  readonly kind: string;
  /** What it was done to. */
  readonly subject: string;
  readonly by: string;
  readonly body: unknown;
}

/** Adds a line to the audit. */
export type WriteAudit = (deed: Deed) => Promise<void>;

/** Deeds stand in the same chain as the calls, under names that no tool can have. */
export function createAudit(calls: CallLog, now: () => number): WriteAudit {
  return async ({ kind, subject, by, body }) => {
    const meta = { callId: randomUUID(), tool: `toolrack/${kind}`, durationMs: 0 };
    await calls.record({
      callId: meta.callId,
      tool: meta.tool,
      input: { subject, ...(body as object) },
      caller: { agent: by },
      startedAt: now(),
      result: { ok: true, content: "", meta },
    });
  };
}
