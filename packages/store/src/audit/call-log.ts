import type { CallRecord, Recorder, ToolResult } from "@toolrack/core";
import { demandRole } from "../access/actor.ts";
import type { AuditRow } from "../engines/_audit.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import type { AuditOptions } from "./audit.ts";
import { createBatches } from "./batch.ts";
import { type CallBody, toErrorDetails, toStoredCall, type StoredCall } from "./call-body.ts";
import { appendEntries, type AuditEntry } from "./chain.ts";
import { createRedaction, type RedactionOptions } from "./redact.ts";
import { toStatistics, type ToolStatistics } from "./statistics.ts";

export interface CallLogOptions extends AuditOptions {
  readonly redaction?: RedactionOptions;
  /** Larger inputs and outputs are kept by their beginning. @default 65_536 */
  readonly maxBodyBytes?: number;
}

/** The history of calls, as lines of the audit. */
export interface CallLog extends Recorder {
  record(record: CallRecord): Promise<void>;
  show(callId: string): Promise<StoredCall | undefined>;
  /** The newest first. */
  list(query?: CallQuery): Promise<readonly StoredCall[]>;
  /** Calls, error rate, typical and slow durations and last use of each tool, from the log itself. */
  statistics(options?: { readonly from?: number }): Promise<readonly ToolStatistics[]>;
}

export interface CallQuery {
  readonly tool?: string;
  /** Only those that failed, or only those that did not. */
  readonly ok?: boolean;
  /** Milliseconds since 1970. */
  readonly from?: number;
  readonly before?: number;
  /** @default 100 */
  readonly limit?: number;
}

export function createCallLog(store: BreadcrumbStore, options: CallLogOptions = {}): CallLog {
  const { engine, clock } = insideOf(store);
  const { owner } = store.actor;
  const redact = createRedaction(options.redaction);
  const maxBytes = options.maxBodyBytes ?? 65_536;
  // Calls that end while others are being written share one transaction.
  const append = createBatches<AuditEntry>((entries) => engine.writeAudit((tx) => appendEntries(tx, entries, options.key)));
  const read = async (rows: Promise<readonly AuditRow[]>): Promise<readonly StoredCall[]> => (await rows).map(toStoredCall);

  return {
    record({ callId, tool, input, caller, startedAt, result, parentCallId, stack }) {
      const body: CallBody = {
        startedAt: Math.floor(startedAt),
        caller: redact(caller) as CallBody["caller"],
        input: fit(redact(input), maxBytes),
        ...(result.meta.version !== undefined && { version: result.meta.version }),
        ...(parentCallId !== undefined && { parentCallId }),
        ...outcome(result, stack, redact, maxBytes),
      };
      return append({
        at: clock.now(),
        owner,
        kind: "call",
        agent: caller.agent ?? caller.sender ?? "unknown",
        subject: tool,
        callId,
        ok: result.ok,
        ...(!result.ok && { code: result.code }),
        durationMs: result.meta.durationMs,
        body,
      });
    },
    async show(callId) {
      demandRole(store.actor, "subscriber", "read calls");
      return (await read(engine.auditBefore(Number.MAX_SAFE_INTEGER, 1, { owner, kinds: ["call"], callId })))[0];
    },
    async list({ tool, ok, from, before = Number.MAX_SAFE_INTEGER, limit = 100 } = {}) {
      demandRole(store.actor, "subscriber", "read calls");
      const filter = {
        owner,
        kinds: ["call"],
        ...(tool !== undefined && { subject: tool }),
        ...(ok !== undefined && { ok }),
        ...(from !== undefined && { from }),
      };
      return read(engine.auditBefore(before, Math.min(1_000, limit), filter));
    },
    async statistics({ from = 0 } = {}) {
      demandRole(store.actor, "subscriber", "read statistics");
      const counts = await engine.callCounts(owner, from);
      return Promise.all(counts.map((count) => toStatistics(count, (place) => engine.callDuration(owner, count.tool, from, place))));
    },
  };
}

function outcome(
  result: ToolResult,
  stack: string | undefined,
  redact: (value: unknown) => unknown,
  maxBytes: number,
): Pick<CallBody, "output" | "error"> {
  if (result.ok) return { output: fit(redact(result.data === undefined ? result.content : result.data), maxBytes) };
  return { error: toErrorDetails(result, redact(result.error) as string, redact(stack) as string | undefined) };
}

/** A value that is too large is kept by the beginning of its JSON. */
function fit(value: unknown, maxBytes: number): unknown {
  const text = JSON.stringify(value) ?? "null";
  if (text.length <= maxBytes) return value;
  return { truncated: true, characters: text.length, beginning: Buffer.from(text.slice(0, Math.min(4_096, maxBytes))).toString() };
}
