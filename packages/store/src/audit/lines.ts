import type { CallRecord } from "@toolrack/core";
import type { LineContent } from "../engines/_audit.ts";
import { appendEntries, type AuditEntry } from "../engines/_chain.ts";
import type { Engine } from "../engines/engine.ts";
import type { AuditKeys } from "../store/create-store.ts";
import { abandoned, type CallBody, type RunningCall } from "./call-body.ts";
import type { CallTexts } from "./call-text.ts";
import type { OpenCall } from "./open-calls.ts";
import type { Redact } from "./redact.ts";
import { type KeptOutcome, writeKept } from "./write-kept.ts";
import type { KeptEnd } from "./backlog.ts";
import { createSlips, toRunningCalls } from "./slips.ts";

/** What is written together with others: that a call began, or its end in the place of that. */
export type Line = BeginLine | EndLine;

export interface BeginLine {
  readonly type: "begin";
  readonly call: OpenCall;
}

export interface EndLine {
  readonly type: "end";
  readonly record: CallRecord;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly call: OpenCall | undefined;
  /** What was written down of it; undefined before that. */
  content: LineContent | undefined;
  /** The store did not take it, and it is written later. */
  isKept?: boolean;
}

export interface LineWriter {
  /** In one transaction. */
  write(lines: readonly Line[]): Promise<void>;
  /** Takes down at once what a line says, which is else done with all others that are written with it, at less cost. */
  takeDown(line: Line): void;
  /** Writes ends that could not be written before, and tidies up what writes that failed may have left. */
  writeLate(ends: readonly KeptEnd[]): Promise<KeptOutcome>;
  /** Whether there is something to be tidied up. */
  readonly hasLeftovers: boolean;
}

export interface LineWriterOptions {
  readonly owner: string;
  readonly server: string;
  readonly keys: AuditKeys;
  readonly texts: CallTexts;
  readonly redaction: () => Redact;
}

export function createLineWriter(engine: Engine, { owner, server, keys, texts, redaction }: LineWriterOptions): LineWriter {
  const slips = createSlips(owner, server);

  function takeDown(line: Line, redact: Redact): void {
    if (line.type === "begin") line.call.text ??= texts.request(line.call.start, redact);
    else line.content ??= texts.line(line.record, line.at, redact, line.call?.text);
  }

  return {
    takeDown: (line) => takeDown(line, redaction()),
    async write(lines) {
      const redact = redaction();
      const contents: LineContent[] = [];
      const begun: OpenCall[] = [];
      const ended: OpenCall[] = [];
      for (const line of lines) {
        takeDown(line, redact);
        if (line.type === "begin") begun.push(line.call);
        else {
          contents.push(line.content!);
          if (line.call !== undefined) ended.push(line.call);
        }
      }
      const { saved, removed, undo } = slips.change(begun, ended);
      try {
        await engine.writeLog({ lines: contents, key: keys.current, owner, removed, saved });
      } catch (error) {
        undo();
        throw error;
      }
    },
    async writeLate(ends) {
      if (ends.length === 0 && !slips.hasDoubtful) return { written: 0, contradicted: [] };
      const calls = ends.map(({ call }) => call).filter((call) => call !== undefined);
      const { saved, removed, undo } = slips.change([], calls);
      try {
        return await writeKept(engine, { owner, key: keys.current, ends: ends.map(({ content }) => content), removed, saved });
      } catch (error) {
        undo();
        throw error;
      }
    },
    get hasLeftovers() {
      return slips.hasDoubtful;
    },
  };
}

/** Writes down that calls of a server were aborted, those of so many of its notes. Answers how many notes and calls there were. */
export function abandonSome(
  engine: Engine,
  { owner, server, keys }: Pick<LineWriterOptions, "owner" | "server" | "keys">,
  most: number,
  now: number,
): Promise<{ readonly notes: number; readonly calls: number }> {
  return engine.writeAudit(async (tx) => {
    await tx.lockAudit(); // what ends meanwhile has ended before it is looked at
    await tx.lockNotes(); // what began is looked at, also when its server was killed in the middle of noting it
    const notes = await tx.notes(owner, "running", most, server);
    const calls = notes.flatMap(toRunningCalls);
    if (calls.length > 0)
      await appendEntries(
        tx,
        calls.map((call) => toAbandoned(call, owner, now)),
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

function toAbandoned({ callId, tool, caller, input, startedAt, parentCallId }: RunningCall, owner: string, at: number): AuditEntry {
  const body: CallBody = { startedAt, caller, input, ...(parentCallId !== undefined && { parentCallId }), error: abandoned };
  const agent = caller.agent ?? caller.sender ?? "unknown";
  const line = { at, owner, kind: "call", agent, principal: caller.principal, subject: tool, callId };
  return { ...line, ok: false, code: abandoned.code, durationMs: 0, body: JSON.stringify(body) };
}
