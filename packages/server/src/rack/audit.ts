import { randomUUID } from "node:crypto";
import type { CallLog, CallQuery, StoredCall } from "@toolrack/store";

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

/** No tool has a name that begins so. */
const prefix = "toolrack/";

/** Deeds stand in the same chain as the calls: "toolrack/key-created". */
export function createAudit(calls: CallLog, now: () => number): WriteAudit {
  return async ({ kind, subject, by, body }) => {
    const meta = { callId: randomUUID(), tool: `${prefix}${kind}`, durationMs: 0 };
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

/** The log with the calls of tools alone; the audit has the deeds as well. */
export function withoutDeeds(calls: CallLog): CallLog {
  const isCall = ({ tool }: { readonly tool: string }): boolean => !tool.startsWith(prefix);

  async function list({ limit = 100, ...query }: CallQuery = {}): Promise<readonly StoredCall[]> {
    const found: StoredCall[] = [];
    for (let { before } = query; ;) {
      const page = await calls.list({ ...query, limit, ...(before !== undefined && { before }) });
      found.push(...page.filter(isCall));
      // As many calls as were asked for, unless there are no more.
      if (found.length >= limit || page.length < Math.min(limit, largestPage)) return found.slice(0, limit);
      before = page.at(-1)!.number;
    }
  }

  return { ...calls, list, statistics: async (options) => (await calls.statistics(options)).filter(isCall) };
}

/** More than this the log gives at no time. */
const largestPage = 1_000;
