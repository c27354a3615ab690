import type { ToolResult } from "@toolrack/core";
import type { LineContent } from "../engine/audit.ts";
import { appendEntries, type AuditEntry, storable } from "../engine/chain.ts";
import { serverOfLost } from "../engine/lease.ts";
import type { Engine, Writes } from "../engine/engine.ts";
import type { AuditKeys } from "../store/create-store.ts";
import { abandoned, type CallBody, type RunningCall } from "./call-body.ts";
import type { CallTexts } from "./call-text.ts";
import type { EndLine, Line } from "./call-line.ts";
import { appendOnce, writeUnderLease } from "./lost-lease.ts";
import type { OpenCall } from "./open-calls.ts";
import type { Redact } from "../audit/redact.ts";
import { type ServerLease, toLease, toName } from "./server-lease.ts";
import { type LateEndsOutcome, writeLateEnds } from "./backlog/write-late-ends.ts";
import type { UnwrittenEnd } from "./backlog/retry-queue.ts";
import { createRunningBatches, toRunningCalls } from "./running-batches.ts";

export interface LineWriter {
  /** In one transaction. */
  write(lines: readonly Line[]): Promise<void>;
  /** Creates the text of a line now. Otherwise `write` does it for all lines of a page together, which costs less. */
  prepare(line: Line): void;
  /** Writes the end of a call unless one is recorded already; then returns that result. */
  endOnce(line: EndLine): Promise<ToolResult | undefined>;
  /** Writes ends that could not be written before, and removes notes that failed writes may have left. */
  writeLate(ends: readonly UnwrittenEnd[]): Promise<LateEndsOutcome>;
  /** Whether failed writes may have left notes. */
  readonly hasLeftovers: boolean;
}

export interface LineWriterOptions {
  readonly owner: string;
  readonly server: string | ServerLease | undefined;
  readonly keys: AuditKeys;
  readonly texts: CallTexts;
  readonly redaction: () => Redact;
  now(): number;
}

export function createLineWriter(engine: Engine, options: LineWriterOptions): LineWriter {
  const { owner, server, keys, texts, redaction, now } = options;
  const lease = toLease(server);
  let running = { name: toName(server), all: createRunningBatches(owner, toName(server)) };

  function prepare(line: Line, redact: Redact): void {
    if (line.type === "begin") line.call.text ??= texts.request(line.call.start, redact);
    else line.content ??= texts.line(line.record, line.at, redact, line.call?.text);
  }

  async function write(lines: readonly Line[]): Promise<void> {
    const redact = redaction();
    const name = toName(server);
    if (running.name !== name) running = { name, all: createRunningBatches(owner, name) };
    const contents: LineContent[] = [];
    const begun: OpenCall[] = [];
    const ended: OpenCall[] = [];
    for (const line of lines) {
      prepare(line, redact);
      if (line.type === "begin") begun.push(line.call);
      else {
        contents.push(line.content!);
        if (line.call !== undefined) ended.push(line.call);
      }
    }
    const { saved, removed, undo } = running.all.change(begun, ended);
    for (const call of begun) call.server = name;
    try {
      await engine.writeLog({ lines: contents, key: keys.current, owner, removed, saved, lease: lease && { owner: lease.owner, name } });
    } catch (error) {
      undo();
      // Only this error proves that nothing was written.
      if (serverOfLost(error) !== undefined) for (const call of begun) call.server = undefined;
      throw error;
    }
  }

  function endOnce(line: EndLine): Promise<ToolResult | undefined> {
    prepare(line, redaction());
    return appendOnce(engine, { owner, callId: storable(line.record.callId), content: line.content!, key: keys.current });
  }

  const abandon = async (name: string): Promise<void> => void (await abandonAll(engine, { owner, server: name, keys, lease, now }));
  return {
    prepare: (line) => prepare(line, redaction()),
    write: lease === undefined ? write : writeUnderLease({ lease, now, write, abandon, endOnce }),
    endOnce,
    async writeLate(ends) {
      const { name } = running;
      if (ends.length === 0 && !running.all.hasDoubtful) return { written: 0, contradicted: [] };
      // Calls that began under a lost lease are in no note any more.
      const calls = ends.map(({ call }) => call).filter((call) => call !== undefined && call.server === name) as OpenCall[];
      const { saved, removed, undo } = running.all.change([], calls);
      try {
        return await writeLateEnds(engine, { owner, key: keys.current, ends: ends.map(({ content }) => content), removed, saved });
      } catch (error) {
        undo();
        throw error;
      }
    },
    get hasLeftovers() {
      return running.all.hasDoubtful;
    },
  };
}

export interface AbandonOptions extends Pick<LineWriterOptions, "owner" | "keys" | "now"> {
  /** The server whose calls are recorded as aborted, and whose lease is removed. */
  readonly server: string;
  /** The owner of the list of servers. @default `owner` */
  readonly lease: Pick<ServerLease, "owner"> | undefined;
}

/** Records the running calls of a server as aborted. Returns how many. */
export async function abandonAll(engine: Engine, options: AbandonOptions): Promise<number> {
  for (let count = 0; ;) {
    const { notes, calls } = await abandonSome(engine, options, 50);
    count += calls;
    if (notes < 50) return count;
  }
}

/**
 * Removes the lease of a server, so that its writes are refused from then on, and records the calls of up to `most` of its notes as aborted.
 * Returns how many notes and calls there were.
 */
function abandonSome(
  engine: Engine,
  { owner, server, keys, lease, now }: AbandonOptions,
  most: number,
): Promise<{ readonly notes: number; readonly calls: number }> {
  return engine.writeAudit(async (tx) => {
    await tx.lockAudit(); // of two that end the calls of a server, the second finds them ended
    await tx.lockNotes(); // includes a note whose server was killed while it was being committed
    await tx.forgetSighting(lease?.owner ?? owner, server); // waits for a page that is being written under the lease
    const notes = await tx.notes(owner, "running", most, server);
    const calls: RunningCall[] = [];
    // A note may be left over from a call that ended: such a call gets no second end.
    for (const call of notes.flatMap(toRunningCalls)) if (!(await hasEnd(tx, owner, call))) calls.push(call);
    await appendEntries(
      tx,
      calls.map((call) => toAbandoned(call, owner, now())),
      keys.current,
    );
    await tx.removeNotes(
      owner,
      "running",
      notes.map(({ name }) => name),
    );
    return { notes: notes.length, calls: calls.length };
  });
}

async function hasEnd(tx: Writes, owner: string, { callId, startedAt }: RunningCall): Promise<boolean> {
  const lines = await tx.auditBefore(Number.MAX_SAFE_INTEGER, 10, { owner, kinds: ["call"], callId: storable(callId) });
  // Callers may choose ids of calls, so the start time is compared, too.
  return lines.some(({ body }) => (JSON.parse(body) as CallBody).startedAt === Math.floor(startedAt));
}

function toAbandoned({ callId, tool, caller, input, startedAt, parentCallId }: RunningCall, owner: string, at: number): AuditEntry {
  const body: CallBody = { startedAt, caller, input, ...(parentCallId !== undefined && { parentCallId }), error: abandoned };
  const agent = caller.agent ?? caller.sender ?? "unknown";
  const line = { at, owner, kind: "call", agent, principal: caller.principal, subject: tool, callId };
  return { ...line, ok: false, code: abandoned.code, durationMs: 0, body: JSON.stringify(body) };
}
