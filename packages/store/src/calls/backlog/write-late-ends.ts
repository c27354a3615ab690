import type { AuditRow, ChainKey, LineContent } from "../../engine/audit.ts";
import { appendLines, storable } from "../../engine/chain.ts";
import type { Note } from "../../engine/notes.ts";
import type { Engine, Writes } from "../../engine/engine.ts";
import { abandoned, type CallBody, type RunningCall } from "../call-body.ts";
import { toRunningCalls } from "../running-batches.ts";

/** Ends of calls that could not be written in time. */
export interface LateEnds {
  readonly owner: string;
  readonly key: ChainKey | undefined;
  readonly ends: readonly LineContent[];
  /** Changes to the notes of running calls. */
  readonly removed: readonly string[];
  readonly saved: readonly Note[];
  /** Whether to remove the calls from the notes of every server. */
  readonly fromAnother?: boolean;
}

export interface LateEndsOutcome {
  readonly written: number;
  /** Calls that have another end in the audit, because their server was considered dead. These ends were not written. */
  readonly contradicted: readonly string[];
}

/**
 * Writes late ends in one transaction. A write that failed may have been committed all the same, and the server may have been considered dead,
 * so each call is looked up first: a call never has two ends.
 */
export function writeLateEnds(
  engine: Engine,
  { owner, key, ends, removed, saved, fromAnother = false }: LateEnds,
): Promise<LateEndsOutcome> {
  return engine.writeAudit(async (tx) => {
    await tx.lockAudit();
    if (fromAnother) await tx.lockNotes();
    const fresh: LineContent[] = [];
    const contradicted: string[] = [];
    for (const end of ends) {
      const known = await findEnd(tx, owner, end);
      if (known === undefined) fresh.push(end);
      else if (known.code === abandoned.code && end[7] !== abandoned.code) contradicted.push(end[5] ?? "");
    }
    await appendLines(tx, fresh, key);
    await tx.removeNotes(owner, "running", removed);
    await tx.saveNotes(saved);
    if (fromAnother) await removeFromNotes(tx, owner, new Set(ends.map((end) => end[5])));
    return { written: fresh.length, contradicted };
  });
}

/** Callers may choose ids of calls, so the start time is compared, too. */
async function findEnd(tx: Writes, owner: string, end: LineContent): Promise<AuditRow | undefined> {
  const startedAt = startOf(end[9]);
  const rows = await tx.auditBefore(Number.MAX_SAFE_INTEGER, 100, { owner, kinds: ["call"], callId: end[5] ?? "" });
  return rows.find(({ body }) => startOf(body) === startedAt);
}

function startOf(body: string): number {
  return (JSON.parse(body) as CallBody).startedAt;
}

/** After `lockNotes`. */
async function removeFromNotes(tx: Writes, owner: string, callIds: ReadonlySet<string | null>): Promise<void> {
  const removed: string[] = [];
  const saved: Note[] = [];
  for (const note of await tx.notes(owner, "running", 100_000)) {
    const calls = toRunningCalls(note);
    const left = calls.filter(({ callId }) => !callIds.has(storable(callId)));
    if (left.length === calls.length) continue;
    if (left.length === 0) removed.push(note.name);
    else saved.push({ ...note, body: JSON.stringify(left.map(withoutServer)) });
  }
  await tx.removeNotes(owner, "running", removed);
  await tx.saveNotes(saved);
}

function withoutServer(call: RunningCall): Omit<RunningCall, "server"> {
  const { server: _, ...rest } = call;
  return rest;
}
