import { type CallRecord, type CallStart, type Recorder, ToolError, type ToolResult } from "@toolrack/core";
import { requireRole } from "../access.ts";
import type { AuditRow, LineContent } from "../engine/audit.ts";
import { inRange } from "../engine/time-range.ts";
import { storable } from "../engine/chain.ts";
import { readName } from "../record/read-draft.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { createWriteQueue } from "../queue/write-queue.ts";
import { type CallRow, type RunningCall, toStoredCall, type StoredCall } from "./call-body.ts";
import { createCallTexts } from "./call-text.ts";
import type { EndLine, Line } from "./call-line.ts";
import { createEndBacklog, type EndBacklogOptions } from "./backlog/end-backlog.ts";
import { abandonAll, createLineWriter } from "./line-writer.ts";
import { createOpenCalls } from "./open-calls.ts";
import { createRedaction, type RedactionOptions } from "../audit/redact.ts";
import { type ServerLease, toLease, toName } from "./server-lease.ts";
import { toRunningCalls } from "./running-batches.ts";
import { toStatistics, type ToolStatistics } from "../usage/statistics.ts";
import { createUsageReader, type Usage, type UsageQuery } from "../usage/usage.ts";

export interface CallLogOptions {
  readonly redaction?: RedactionOptions;
  /** What a tool is called at its source, if that differs; recorded with its calls. */
  readonly upstreamOf?: (tool: string) => string | undefined;
  /** Larger inputs and outputs are truncated to their beginning. @default 65_536 */
  readonly maxBodyBytes?: number;
  /**
   * The unique name of this server. With it, each call is recorded as running before its handler runs, so that calls that a crash interrupted
   * are known afterwards. With a lease, nothing is written for a call that another server has ended in the meantime.
   */
  readonly server?: string | ServerLease;
  /**
   * "written": a call waits until its begin and its end are in the database. "queued": it does not wait, and a crash may lose the last lines.
   * @default "written"
   */
  readonly acknowledge?: "written" | "queued";
  /** Called when a line of a "queued" call could not be written. */
  readonly onError?: (error: unknown) => void;
  /** Saves the ends of calls while the store is down, and writes them afterwards. @default `record` rejects, and the end is lost */
  readonly endBacklog?: EndBacklogOptions;
}

/** The history of calls, as lines of the audit. Calls that begin or end at the same time share a transaction. */
export interface CallLog extends Recorder {
  /** Resolves with the recorded result if the call has another end already. */
  record(record: CallRecord): Promise<void | ToolResult>;
  /** Writes the end of a call of any server, unless one is recorded already; then resolves with that result. */
  recordOnce(record: CallRecord): Promise<ToolResult | undefined>;
  /** Absent without `server`. */
  begin?(call: CallStart): Promise<void>;
  show(callId: string): Promise<StoredCall | undefined>;
  /** The newest first. */
  list(query?: CallQuery): Promise<readonly StoredCall[]>;
  /** Calls that began and did not end: running ones, and those that a crash interrupted. */
  running(options?: { readonly server?: string }): Promise<readonly RunningCall[]>;
  /** Running calls of this log, as this process knows them; works while the store is down. */
  open(): readonly Omit<RunningCall, "input">[];
  /** What is missing in the audit. */
  readonly missing: MissingEnds;
  /** Writes the ends that stopped servers had saved on disk. Call it before `abandon`. Returns how many. */
  recover(): Promise<number>;
  /**
   * Call it when a server has stopped, or did not report for too long: writes the ends that it had saved on disk, removes its lease, and records
   * its other calls as aborted. Returns how many were aborted.
   */
  abandon(server: string): Promise<number>;
  /** Running calls of this process that began under a lease that was lost. */
  lost(): readonly string[];
  /**
   * Number of calls, error rate, median and 95th percentile of the duration, and last use of each tool, counted by the database. With `from`,
   * of the newest 50,000 lines since then.
   */
  statistics(options?: { readonly from?: number }): Promise<readonly ToolStatistics[]>;
  /** The same per interval of time, of the newest 50,000 lines in the range; inputs and outputs are not read. */
  usage(query: UsageQuery): Promise<Usage>;
  /** Resolves when all queued lines were written, and saved ends were retried once. */
  flush(): Promise<void>;
}

export interface MissingEnds {
  /** Ends that are saved until the store accepts them. */
  readonly kept: number;
  /** Ends that were lost since the start, because there was no room to save them. */
  readonly dropped: number;
}

export interface CallQuery {
  readonly tool?: string;
  /** The agent of the caller, or its sender if it has no agent. */
  readonly agent?: string;
  /** Only calls by one of these principals; "" stands for calls without a sign-in. */
  readonly principals?: readonly string[];
  /** Only calls whose ids begin with this. */
  readonly idPrefix?: string;
  /** Only failed calls, or only successful ones. */
  readonly ok?: boolean;
  /** Milliseconds since 1970. */
  readonly from?: number;
  /** Milliseconds since 1970, exclusive. */
  readonly to?: number;
  readonly before?: number;
  /** @default 100 */
  readonly limit?: number;
}

export function createCallLog(store: BreadcrumbStore, options: CallLogOptions = {}): CallLog {
  const { engine, clock, auditKeys: keys } = insideOf(store);
  const { owner } = store.actor;
  const { server, maxBodyBytes: maxBytes = 65_536, acknowledge = "written", onError = () => undefined } = options;
  // Its old name: without this check, ends would be lost while the store is down.
  if ("keepEnds" in options) throw new ToolError("CONFIG_INVALID", "createCallLog: keepEnds is called endBacklog now. Rename it.");
  if (server !== undefined) readName(toName(server), "The name of a server");
  const now = (): number => clock.now();
  const texts = createCallTexts(owner, maxBytes, options.upstreamOf);
  const writer = createLineWriter(engine, { owner, server, keys, texts, redaction: createRedaction(options.redaction), now });
  const backlog = options.endBacklog && createEndBacklog({ engine, owner, server: toName(server), keys, writer }, options.endBacklog);
  const lines = createWriteQueue(backlog?.write ?? writer.write, { atOnce: () => engine.pagesAtOnce, answerOf: recordedResultOf });
  const open = createOpenCalls();
  const usage = createUsageReader(engine, owner);
  const read = async (rows: Promise<readonly AuditRow[]>): Promise<readonly StoredCall[]> => (await rows).map(toStoredCall);

  function write(line: Line): Promise<void | ToolResult> {
    if (acknowledge === "written" || lines.waiting >= mostQueued) return lines.add(line);
    // The call continues, and may change its input.
    writer.prepare(line);
    lines.leave(line, (error) => {
      if (line.type === "begin" || backlog === undefined) return onError(error);
      saveEnd(line, error).catch(onError);
    });
    return queued;
  }

  async function begin(start: CallStart): Promise<void> {
    backlog?.requireRoom();
    const call = open.add(start);
    try {
      await write({ type: "begin", call });
    } catch (error) {
      open.remove(call);
      backlog?.onNotBegun();
      throw error;
    }
    backlog?.onBegun();
  }

  async function saveEnd(line: EndLine, error: unknown): Promise<void> {
    backlog!.save(line, error);
  }

  return {
    ...(server !== undefined && { begin }),
    record(record) {
      if (record.notBegun === true) return queued; // the call did nothing, and the store is down
      const call = server === undefined ? undefined : open.take(record.callId);
      const line: EndLine = { type: "end", record, at: clock.now(), call, content: undefined, recorded: undefined };
      if (backlog === undefined) return write(line);
      const save = (error: unknown): Promise<void> => saveEnd(line, error);
      // An abandoned call has its end recorded already. Its caller gets that result at once, without waiting in the queue.
      if (call?.server !== undefined && call.server !== toName(server)) return writer.write([line]).then(() => line.recorded, save);
      return backlog.count > 0 ? save(undefined) : write(line).catch(save);
    },
    open: () =>
      [...open.all()].map(({ start: { callId, tool, caller, startedAt, parentCallId } }) => ({
        callId,
        tool,
        caller,
        startedAt,
        server: toName(server),
        ...(parentCallId !== undefined && { parentCallId }),
      })),
    missing: {
      get kept() {
        return backlog?.count ?? 0;
      },
      get dropped() {
        return backlog?.dropped ?? 0;
      },
    },
    async recover() {
      requireRole(store.actor, "curator", "write the ends of another server's calls");
      return (await backlog?.recover()) ?? 0;
    },
    recordOnce(record) {
      requireRole(store.actor, "curator", "end the calls of a server");
      return writer.endOnce({ type: "end", record, at: clock.now(), call: undefined, content: undefined, recorded: undefined });
    },
    lost() {
      const lost = [...open.all()].filter((call) => call.server !== undefined && call.server !== toName(server));
      return lost.map(({ start }) => start.callId);
    },
    async show(callId) {
      requireRole(store.actor, "subscriber", "read calls");
      const kept = backlog?.find(storable(callId));
      if (kept !== undefined) return toStoredCall(toRow(kept));
      const filter = { owner, kinds: ["call"], callId: storable(callId) };
      return (await read(engine.auditBefore(Number.MAX_SAFE_INTEGER, 1, filter)))[0];
    },
    async running({ server: holder } = {}) {
      requireRole(store.actor, "subscriber", "read calls");
      return (await engine.notes(owner, "running", 1_000, holder)).flatMap(toRunningCalls).slice(0, 1_000);
    },
    async abandon(holder) {
      requireRole(store.actor, "curator", "give up the calls of a server");
      await backlog?.recover();
      return abandonAll(engine, { owner, server: holder, keys, lease: toLease(server), now });
    },
    async flush() {
      await lines.settled();
      await backlog?.settle();
    },
    async list({ tool, agent, principals, idPrefix, ok, limit = 100, ...range } = {}) {
      requireRole(store.actor, "subscriber", "read calls");
      const { before, filter } = await inRange(engine, range);
      const wanted = {
        ...filter,
        owner,
        kinds: ["call"],
        ...(tool !== undefined && { subject: storable(tool) }),
        ...(agent !== undefined && { agent: storable(agent) }),
        ...(principals !== undefined && { principals: principals.map(storable) }),
        ...(idPrefix !== undefined && { callIdPrefix: storable(idPrefix) }),
        ...(ok !== undefined && { ok }),
      };
      return read(engine.auditBefore(before, Math.min(1_000, limit), wanted));
    },
    async statistics({ from } = {}) {
      requireRole(store.actor, "subscriber", "read statistics");
      if (from === undefined) return (await usage.totals()).map(toStatistics);
      const { tools } = await usage.read({ from, to: Number.MAX_SAFE_INTEGER, bucketMs: Number.MAX_SAFE_INTEGER });
      return tools.map(toStatistics).sort((a, b) => (a.tool < b.tool ? -1 : 1));
    },
    async usage(query) {
      requireRole(store.actor, "subscriber", "read statistics");
      return usage.read(query);
    },
  };
}

/** An end that is not in the audit yet: it has no number. */
function toRow([, , , , subject, callId, ok, code, durationMs, body]: LineContent): CallRow {
  return { number: 0, subject, callId, ok, code, durationMs, body };
}

/** With so many lines waiting, "queued" waits as well. */
const mostQueued = 10_000;

const queued: Promise<void> = Promise.resolve();

function recordedResultOf(line: Line): ToolResult | undefined {
  return line.type === "end" ? line.recorded : undefined;
}
