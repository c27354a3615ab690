import { setImmediate } from "node:timers/promises";
import { requireRole } from "../access.ts";
import type { OldChange } from "../engine/retention.ts";
import type { Engine } from "../engine/engine.ts";
import type { TicketRow } from "../engine/tickets.ts";
import { definitionSchema } from "../record/identity.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { lastBefore, readCuts } from "./cuts.ts";

/** How long a store retains old data. Infinity: forever. */
export interface RetentionPlan {
  /** How many of the newest revisions of a live record stay; those of tool definitions all stay. */
  readonly revisionsPerRecord: number;
  /** Nothing is removed that changed less than this long ago, whatever else is said: so long a reader of the feed can be away. */
  readonly changesMs: number;
  /** How long records that were removed or expired stay with their history … */
  readonly deletedMs: number;
  /** … and for records of these schemas instead of that. */
  readonly endedMs?: Readonly<Record<string, number>>;
  /** How long sessions of agents that ended stay with their messages. One that has not ended is never removed. @default 30 days */
  readonly endedSessionsMs?: number;
  /** How long tasks of MCP clients stay after they expired. @default they are removed then */
  readonly endedTasksMs?: number;
  /** Whose sessions, whose tasks, and whose answers to requests with a key, are looked through for those that ended. @default the store's owner */
  readonly answersOf?: readonly string[];
}

/** What was removed. */
export interface RetentionReport {
  readonly revisions: number;
  /** Records that were gone, by their schema. */
  readonly records: Readonly<Record<string, number>>;
  readonly answers: number;
  /** Sessions of agents. */
  readonly sessions: number;
  /** Tasks of MCP clients. */
  readonly tasks: number;
}

/**
 * Removes revisions, removed records, answers, expired tasks and ended sessions that are older than the plan wants, in small transactions between which others write. The
 * newest revision of a live record, every revision of a live tool definition, and the newest change of all are never removed.
 */
export async function applyRetention(store: BreadcrumbStore, plan: RetentionPlan, signal?: AbortSignal): Promise<RetentionReport> {
  requireRole(store.actor, "curator", "remove old revisions");
  const { engine, clock } = insideOf(store);
  const now = clock.now();
  const newest = (await engine.lastSequence()) - 1;
  const limit = Math.min(newest, await lastBefore(engine, now - plan.changesMs));
  const cuts = await readCuts(engine, plan, now, limit);
  const records: Record<string, number> = {};
  let revisions = 0;
  for (let after = 0; after < limit && signal?.aborted !== true; after += windowSize) {
    const window = { after, upTo: Math.min(limit, after + windowSize) };
    const old = await engine.oldChanges({ ...window, revisions: wholeNumber(plan.revisionsPerRecord), wholeSchema: definitionSchema });
    const removable = old.filter(({ isEnd, sequence, schemaName }) => !isEnd || sequence <= (cuts.bySchema.get(schemaName) ?? cuts.others));
    for (let start = 0; start < removable.length; start += batchSize) {
      const removed = await removeBatch(engine, removable.slice(start, start + batchSize));
      revisions += removed.revisions;
      for (const [schema, count] of removed.records) records[schema] = (records[schema] ?? 0) + count;
      await setImmediate();
    }
    await setImmediate();
  }
  const owners = plan.answersOf ?? [store.actor.owner];
  const answers = await trimAnswers(engine, owners, now);
  const tasks = await trimTickets(engine, owners, "task", now - (plan.endedTasksMs ?? 0), signal);
  await trimTickets(engine, owners, "wish", now, signal);
  const sessions = await trimSessions(engine, owners, now - (plan.endedSessionsMs ?? month), signal);
  return { revisions, records, answers, sessions, tasks };
}

/** Few enough not to delay other writers. */
const batchSize = 100;
const windowSize = 500;

async function removeBatch(
  engine: Engine,
  batch: readonly OldChange[],
): Promise<{ readonly revisions: number; readonly records: ReadonlyMap<string, number> }> {
  const revisions = batch.filter(({ isEnd }) => !isEnd).map(({ sequence }) => sequence);
  const ended = endsBySchema(batch);
  return engine.write(async (tx) => {
    await tx.dropChanges(revisions);
    const records = new Map<string, number>();
    for (const [schema, ends] of ended) records.set(schema, await tx.dropEnded(ends));
    return { revisions: revisions.length, records };
  });
}

function endsBySchema(batch: readonly OldChange[]): ReadonlyMap<string, readonly OldChange[]> {
  const groups = new Map<string, OldChange[]>();
  for (const change of batch) {
    if (!change.isEnd) continue;
    const known = groups.get(change.schemaName) ?? [];
    groups.set(change.schemaName, known);
    known.push(change);
  }
  return groups;
}

async function trimAnswers(engine: Engine, owners: readonly string[], now: number): Promise<number> {
  let removed = 0;
  for (const owner of owners) removed += await engine.writeAudit((tx) => tx.trimNotes(owner, "answer", now, Number.MAX_SAFE_INTEGER));
  return removed;
}

function trimSessions(engine: Engine, owners: readonly string[], endedBefore: number, signal?: AbortSignal): Promise<number> {
  return trim(owners, endedBefore, (owner) => engine.writeAudit((tx) => tx.trimSessions(owner, endedBefore, rowsAtOnce)), signal);
}

function trimTickets(
  engine: Engine,
  owners: readonly string[],
  kind: TicketRow["kind"],
  endedBefore: number,
  signal?: AbortSignal,
): Promise<number> {
  return trim(owners, endedBefore, (owner) => engine.writeAudit((tx) => tx.trimTickets(owner, kind, endedBefore, rowsAtOnce)), signal);
}

/** Some rows at a time, until none is left. */
async function trim(
  owners: readonly string[],
  endedBefore: number,
  removeSome: (owner: string) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (const owner of endedBefore === Number.NEGATIVE_INFINITY ? [] : owners) {
    for (let some = rowsAtOnce; some === rowsAtOnce && signal?.aborted !== true;) {
      some = await removeSome(owner);
      removed += some;
      await setImmediate();
    }
  }
  return removed;
}

const month = 30 * 86_400_000;
const rowsAtOnce = 10;

function wholeNumber(count: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.floor(count)));
}
