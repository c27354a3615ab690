import type { CallRecord, CallStart, Recorder, ToolResult } from "@toolrack/core";
import { requireRole } from "../access.ts";
import type { AuditRow, LineContent } from "../engine/audit.ts";
import { storable } from "../engine/chain.ts";
import { readName } from "../record/read-draft.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { createWriteQueue } from "../queue/write-queue.ts";
import { type RunningCall, toStoredCall, type StoredCall } from "./call-body.ts";
import { createCallTexts } from "./call-text.ts";
import type { EndLine, Line } from "./call-line.ts";
import { createEndBacklog, type KeepEndsOptions } from "./backlog/end-backlog.ts";
import { abandonAll, createLineWriter } from "./line-writer.ts";
import { createOpenCalls } from "./open-calls.ts";
import { createRedaction, type RedactionOptions } from "../audit/redact.ts";
import { type ServerLease, toLease, toName } from "./server-lease.ts";
import { toRunningCalls } from "./running-batches.ts";
import { toStatistics, type ToolStatistics } from "../usage/statistics.ts";
import { createUsageReader, numberBefore, type Usage, type UsageQuery } from "../usage/usage.ts";

export interface CallLogOptions {
  readonly redaction?: RedactionOptions;
  /** Larger inputs and outputs are kept by their beginning. @default 65_536 */
  readonly maxBodyBytes?: number;
  /**
   * The name of this server, which no other that runs has. With it each call is noted before its handler runs, so that those that a crash
   * cut off are known afterwards. With a lease, nothing is written for a call that another server has ended meanwhile.
   */
  readonly server?: string | ServerLease;
  /**
   * "written": a call begins and ends when that is in the database. "queued": it does not wait, and a crash forgets the last moments.
   * @default "written"
   */
  readonly acknowledge?: "written" | "queued";
  /** Told what "queued" calls cannot be told: that a line was not written. */
  readonly onError?: (error: unknown) => void;
  /** Keeps the ends of calls that the store does not take, and writes them when it is back. @default `record` rejects, and they are lost */
  readonly keepEnds?: KeepEndsOptions;
}

/** The history of calls, as lines of the audit. Calls that begin or end while others are being written share a transaction. */
export interface CallLog extends Recorder {
  /** Resolves with the result that stands instead, where another end of the call is on record. */
  record(record: CallRecord): Promise<void | ToolResult>;
  /** Writes the end of a call of whichever server, unless one is on record; resolves with that one. */
  recordOnce(record: CallRecord): Promise<ToolResult | undefined>;
  /** Absent without `server`. */
  begin?(call: CallStart): Promise<void>;
  show(callId: string): Promise<StoredCall | undefined>;
  /** The newest first. */
  list(query?: CallQuery): Promise<readonly StoredCall[]>;
  /** Calls that began and did not end: those that run, and those that a crash cut off. */
  running(options?: { readonly server?: string }): Promise<readonly RunningCall[]>;
  /** Calls of this log that began and did not end, as this process knows it; also while the store is away. */
  open(): readonly Omit<RunningCall, "input">[];
  /** What is not in the audit, although it should be. */
  readonly missing: MissingEnds;
  /** Writes the ends that servers which ended had kept on disk. To be called before `abandon`. Answers how many. */
  recover(): Promise<number>;
  /**
   * To be called when a server has ended, or was out of contact for too long: writes the ends that it had kept on disk, takes its lease, and
   * writes down that its other calls were aborted.
   * Answers how many.
   */
  abandon(server: string): Promise<number>;
  /** Calls that began here under a lease that was lost, and still run. */
  lost(): readonly string[];
  /**
   * Calls, error rate, typical and slow durations and last use of each tool, counted by the database. With `from`, of the newest 50,000
   * lines that are not older.
   */
  statistics(options?: { readonly from?: number }): Promise<readonly ToolStatistics[]>;
  /** The same in stretches of time, of the newest 50,000 lines of that time; no input or output is read for it. */
  usage(query: UsageQuery): Promise<Usage>;
  /** Settles when everything that is queued was written, and what is kept was tried once more. */
  flush(): Promise<void>;
}

export interface MissingEnds {
  /** Ends that are kept until the store takes them. */
  readonly kept: number;
  /** Ends that were lost since the start, because there was no room to keep them. */
  readonly dropped: number;
}

export interface CallQuery {
  readonly tool?: string;
  /** Whose calls: the caller's agent, or its sender where it has no agent. */
  readonly agent?: string;
  /** Only calls by one of these principals; "" for calls that nobody signed in for. */
  readonly principals?: readonly string[];
  /** Only those that failed, or only those that did not. */
  readonly ok?: boolean;
  /** Milliseconds since 1970. */
  readonly from?: number;
  readonly before?: number;
  /** @default 100 */
  readonly limit?: number;
}

export function createCallLog(store: BreadcrumbStore, options: CallLogOptions = {}): CallLog {
  const { engine, clock, auditKeys: keys } = insideOf(store);
  const { owner } = store.actor;
  const { server, maxBodyBytes: maxBytes = 65_536, acknowledge = "written", onError = () => undefined } = options;
  if (server !== undefined) readName(toName(server), "The name of a server");
  const now = (): number => clock.now();
  const texts = createCallTexts(owner, maxBytes);
  const writer = createLineWriter(engine, { owner, server, keys, texts, redaction: createRedaction(options.redaction), now });
  const backlog = options.keepEnds && createEndBacklog({ engine, owner, server: toName(server), keys, writer }, options.keepEnds);
  const lines = createWriteQueue(backlog?.write ?? writer.write, { atOnce: () => engine.pagesAtOnce, answerOf: recordedResultOf });
  const open = createOpenCalls();
  const usage = createUsageReader(engine, owner);
  const read = async (rows: Promise<readonly AuditRow[]>): Promise<readonly StoredCall[]> => (await rows).map(toStoredCall);

  function write(line: Line): Promise<void | ToolResult> {
    if (acknowledge === "written" || lines.waiting >= mostQueued) return lines.add(line);
    // The call goes on meanwhile, and may change what the line is about.
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
      if (record.notBegun === true) return queued; // it did nothing, and the store does not take lines now
      const call = server === undefined ? undefined : open.take(record.callId);
      const line: EndLine = { type: "end", record, at: clock.now(), call, content: undefined, recorded: undefined };
      if (backlog === undefined) return write(line);
      const save = (error: unknown): Promise<void> => saveEnd(line, error);
      // A call that was given up has its end on record, and its caller is answered with that, whatever else waits to be written.
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
    async list({ tool, agent, principals, ok, from, before = Number.MAX_SAFE_INTEGER, limit = 100 } = {}) {
      requireRole(store.actor, "subscriber", "read calls");
      const filter = {
        owner,
        kinds: ["call"],
        ...(tool !== undefined && { subject: storable(tool) }),
        ...(agent !== undefined && { agent: storable(agent) }),
        ...(principals !== undefined && { principals: principals.map(storable) }),
        ...(ok !== undefined && { ok }),
        // Else the whole log would be looked through for the few calls that are new enough.
        ...(from !== undefined && { from, after: await numberBefore(engine, from) }),
      };
      return read(engine.auditBefore(before, Math.min(1_000, limit), filter));
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
function toRow([at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal]: LineContent): AuditRow {
  const content = { at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal };
  return { ...content, number: 0, previous: "", hash: "", chain: "", keyId: "" };
}

/** With so many before it, "queued" waits as well. */
const mostQueued = 10_000;

const queued: Promise<void> = Promise.resolve();

function recordedResultOf(line: Line): ToolResult | undefined {
  return line.type === "end" ? line.recorded : undefined;
}
