import type { Note } from "../engines/_notes.ts";
import type { Writes } from "../engines/engine.ts";
import { abandoned, type CallBody, type RunningCall } from "./call-body.ts";
import { appendEntries, type AuditEntry } from "./chain.ts";
import { sha256 } from "./sha256.ts";

/** What is written together with others: that a call began, or its end in the place of that. */
export type Line =
  | { readonly type: "begin"; readonly note: Note }
  | { readonly type: "end"; readonly entry: AuditEntry; readonly name?: string };

export async function writeLines(tx: Writes, owner: string, lines: readonly Line[], key: Uint8Array | undefined): Promise<void> {
  const begun = new Map<string, Note>();
  const ended = new Set<string>();
  for (const line of lines) {
    if (line.type === "begin") begun.set(line.note.name, line.note);
    else if (line.name !== undefined && !begun.delete(line.name)) ended.add(line.name);
  }
  const entries = lines.flatMap((line) => (line.type === "end" ? line.entry : []));
  if (entries.length > 0) await appendEntries(tx, entries, key);
  await tx.removeNotes(owner, "running", [...ended]);
  await tx.saveNotes([...begun.values()]);
}

export function toRunningCall({ holder, body }: Note): RunningCall {
  return { ...(JSON.parse(body) as Omit<RunningCall, "server">), server: holder };
}

export function toAbandoned({ callId, tool, caller, input, startedAt, parentCallId }: RunningCall, owner: string, at: number): AuditEntry {
  const body: CallBody = { startedAt, caller, input, ...(parentCallId !== undefined && { parentCallId }), error: abandoned };
  const agent = caller.agent ?? caller.sender ?? "unknown";
  const { code } = abandoned;
  return { at, owner, kind: "call", agent, subject: tool, callId, ok: false, code, durationMs: 0, body: JSON.stringify(body) };
}

/** A caller may name a call anything; names of another alphabet or length stand as their hash. */
export function noteName(callId: string): string {
  return plainName.test(callId) ? callId : `#${sha256(callId)}`;
}

const plainName = /^[\w.:-]{1,64}$/;
