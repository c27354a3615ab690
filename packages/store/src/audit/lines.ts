import type { Engine } from "../engines/engine.ts";
import { abandoned, type CallBody, type RunningCall } from "./call-body.ts";
import { appendEntries, type AuditEntry } from "./chain.ts";
import type { OpenCall } from "./open-calls.ts";
import { createSlips, toRunningCalls } from "./slips.ts";

/** What is written together with others: that a call began, or its end in the place of that. */
export type Line =
  | { readonly type: "begin"; readonly call: OpenCall }
  | { readonly type: "end"; readonly entry: AuditEntry; readonly call: OpenCall | undefined };

/** Writes lines in one transaction. Calls that begin and end in it leave no trace of their running. */
export function createLineWriter(
  engine: Engine,
  { owner, server, key }: { readonly owner: string; readonly server: string; readonly key: Uint8Array | undefined },
): (lines: readonly Line[]) => Promise<void> {
  const changeSlips = createSlips(owner, server);
  return async (lines) => {
    const entries: AuditEntry[] = [];
    const ended = new Set<OpenCall>();
    for (const line of lines) {
      if (line.type === "begin") continue;
      entries.push(line.entry);
      if (line.call !== undefined) ended.add(line.call);
    }
    const begun: OpenCall[] = [];
    for (const line of lines) if (line.type === "begin" && !ended.has(line.call)) begun.push(line.call);
    const { saved, removed, undo } = changeSlips(begun, ended);
    try {
      await engine.writeAudit(async (tx) => {
        if (entries.length > 0) await appendEntries(tx, entries, key);
        await tx.removeNotes(owner, "running", removed);
        await tx.saveNotes(saved);
      });
    } catch (error) {
      undo();
      throw error;
    }
  };
}

/** Writes down that calls of a server were aborted, those of so many of its notes. Answers how many notes and calls there were. */
export function abandonSome(
  engine: Engine,
  { owner, server, key }: { readonly owner: string; readonly server: string; readonly key: Uint8Array | undefined },
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
        key,
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
  const { code } = abandoned;
  return { at, owner, kind: "call", agent, subject: tool, callId, ok: false, code, durationMs: 0, body: JSON.stringify(body) };
}
