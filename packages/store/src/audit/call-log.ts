import type { CallRecord, CallStart, Recorder } from "@toolrack/core";
import { demandRole } from "../access/actor.ts";
import type { AuditRow } from "../engines/_audit.ts";
import type { Note } from "../engines/_notes.ts";
import { readName } from "../record/read-draft.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import type { AuditOptions } from "./audit.ts";
import { createBatches } from "./batch.ts";
import { type CallBody, type RunningCall, toErrorDetails, toStoredCall, type StoredCall } from "./call-body.ts";
import { type AuditEntry, storable } from "./chain.ts";
import { type Line, noteName, toAbandoned, toRunningCall, writeLines } from "./lines.ts";
import { createRedaction, type RedactionOptions } from "./redact.ts";
import { toStatistics, type ToolStatistics } from "./statistics.ts";

export interface CallLogOptions extends AuditOptions {
  readonly redaction?: RedactionOptions;
  /** Larger inputs and outputs are kept by their beginning. @default 65_536 */
  readonly maxBodyBytes?: number;
  /**
   * The name of this server, which no other that runs has. With it each call is noted before its handler runs, so that those that a crash
   * cut off are known afterwards.
   */
  readonly server?: string;
  /**
   * "written": a call begins and ends when that is in the database. "queued": it does not wait, and a crash forgets the last moments.
   * @default "written"
   */
  readonly acknowledge?: "written" | "queued";
  /** Told what "queued" calls cannot be told: that a line was not written. */
  readonly onError?: (error: unknown) => void;
}

/** The history of calls, as lines of the audit. Calls that begin or end while others are being written share a transaction. */
export interface CallLog extends Recorder {
  record(record: CallRecord): Promise<void>;
  /** Absent without `server`. */
  begin?(call: CallStart): Promise<void>;
  show(callId: string): Promise<StoredCall | undefined>;
  /** The newest first. */
  list(query?: CallQuery): Promise<readonly StoredCall[]>;
  /** Calls that began and did not end: those that run, and those that a crash cut off. */
  running(options?: { readonly server?: string }): Promise<readonly RunningCall[]>;
  /** To be called when a server is known to have ended: writes down that its calls were aborted. Answers how many. */
  abandon(server: string): Promise<number>;
  /** Calls, error rate, typical and slow durations and last use of each tool, from the log itself. */
  statistics(options?: { readonly from?: number }): Promise<readonly ToolStatistics[]>;
  /** Settles when everything that is queued was written. */
  flush(): Promise<void>;
}

export interface CallQuery {
  readonly tool?: string;
  /** Whose calls: the caller's agent, or its sender where it has no agent. */
  readonly agent?: string;
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
  const { server, maxBodyBytes: maxBytes = 65_536, acknowledge = "written", onError = () => undefined } = options;
  if (server !== undefined) readName(server, "The name of a server");
  const redact = createRedaction(options.redaction);
  const lines = createBatches<Line>((batch) => engine.writeAudit((tx) => writeLines(tx, owner, batch, options.key)));
  const read = async (rows: Promise<readonly AuditRow[]>): Promise<readonly StoredCall[]> => (await rows).map(toStoredCall);

  function write(line: Line): Promise<void> {
    const written = lines.add(line);
    if (acknowledge === "written" || lines.waiting > mostQueued) return written;
    written.catch(onError);
    return Promise.resolve();
  }

  function begin({ callId, tool, input, caller, startedAt, parentCallId }: CallStart): Promise<void> {
    const body = toJson<Omit<RunningCall, "server">>({
      callId: JSON.stringify(callId),
      tool: JSON.stringify(tool),
      startedAt: JSON.stringify(Math.floor(startedAt)),
      caller: JSON.stringify(redact(caller)),
      input: fit(redact(input), maxBytes),
      parentCallId: JSON.stringify(parentCallId),
    });
    const note: Note = { owner, kind: "running", name: noteName(callId), holder: server!, endsAt: undefined, body };
    return write({ type: "begin", note });
  }

  return {
    ...(server !== undefined && { begin }),
    record({ callId, tool, input, caller, startedAt, result, parentCallId, stack }) {
      const body = toJson<CallBody>({
        startedAt: JSON.stringify(Math.floor(startedAt)),
        caller: JSON.stringify(redact(caller)),
        input: fit(redact(input), maxBytes),
        version: JSON.stringify(result.meta.version),
        parentCallId: JSON.stringify(parentCallId),
        output: result.ok ? fit(redact(result.data === undefined ? result.content : result.data), maxBytes) : undefined,
        error: result.ok
          ? undefined
          : JSON.stringify(toErrorDetails(result, redact(result.error) as string, redact(stack) as string | undefined)),
      });
      const entry: AuditEntry = {
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
      };
      return write({ type: "end", entry, ...(server !== undefined && { name: noteName(callId) }) });
    },
    async show(callId) {
      demandRole(store.actor, "subscriber", "read calls");
      const filter = { owner, kinds: ["call"], callId: storable(callId) };
      return (await read(engine.auditBefore(Number.MAX_SAFE_INTEGER, 1, filter)))[0];
    },
    async running({ server: holder } = {}) {
      demandRole(store.actor, "subscriber", "read calls");
      return (await engine.notes(owner, "running", 1_000, holder)).map(toRunningCall);
    },
    async abandon(holder) {
      demandRole(store.actor, "curator", "give up the calls of a server");
      for (let count = 0; ;) {
        const given = await engine.writeAudit(async (tx) => {
          await tx.lockAudit(); // what ends meanwhile has ended before it is looked at
          const notes = await tx.notes(owner, "running", 500, holder);
          const batch = notes.map((note): Line => ({
            type: "end",
            name: note.name,
            entry: toAbandoned(toRunningCall(note), owner, clock.now()),
          }));
          await writeLines(tx, owner, batch, options.key);
          return notes.length;
        });
        count += given;
        if (given < 500) return count;
      }
    },
    flush: () => lines.settled(),
    async list({ tool, agent, ok, from, before = Number.MAX_SAFE_INTEGER, limit = 100 } = {}) {
      demandRole(store.actor, "subscriber", "read calls");
      const filter = {
        owner,
        kinds: ["call"],
        ...(tool !== undefined && { subject: storable(tool) }),
        ...(agent !== undefined && { agent: storable(agent) }),
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

/** Above this many, "queued" waits as well. */
const mostQueued = 10_000;

/** A value as JSON; one that is too large is kept by the beginning of that. */
function fit(value: unknown, maxBytes: number): string | undefined {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined || text.length <= maxBytes) return text;
  const beginning = Buffer.from(text.slice(0, Math.min(4_096, maxBytes))).toString();
  return JSON.stringify({ truncated: true, characters: text.length, beginning });
}

/** An object of fields that are JSON already, so that no large one is written twice. Those that are undefined are left out. */
function toJson<Whole>(fields: Readonly<Record<keyof Whole & string, string | undefined>>): string {
  let text = "";
  for (const [name, field] of Object.entries<string | undefined>(fields)) {
    if (field !== undefined) text += `${text === "" ? "" : ","}"${name}":${field}`;
  }
  return `{${text}}`;
}
