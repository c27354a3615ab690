import { requireRole } from "../access.ts";
import type { Writes } from "../engine/engine.ts";
import type { JobMarks, JobRow } from "../engine/jobs.ts";
import { StoreError } from "../errors.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import type { Enqueued, JobChange, JobDraft, JobEvent, JobQueue, JobQueueOptions, JobQuery, JobState } from "./job-queue.ts";
import { createAddWriter } from "./_adds.ts";
import { toJob, toRow } from "./_rows.ts";
import { startWorker } from "./_worker.ts";

/** The jobs of the store's owner. Needs the role "curator": what a single caller may see and do is for the server to decide. */
export function createJobQueue(store: BreadcrumbStore, options: JobQueueOptions = {}): JobQueue {
  const { maxWaitingPerCaller = 1_000, keepMs = day, keepDeadMs = 14 * day, keepAtLeastMs = 600_000, maxEnded = 10_000 } = options;
  requireRole(store.actor, "curator", "use the queue of jobs");
  const { engine, clock } = insideOf(store);
  const { owner } = store.actor;
  const listeners = new Set<(event: JobEvent) => void>();
  const wakers = new Set<(isMarked: boolean) => void>();

  const tell = (type: JobEvent["type"], row: JobRow): void => {
    if (listeners.size === 0) return;
    const job = toJob(row);
    for (const listener of listeners) listener({ type, job });
  };
  const wake = (isMarked: boolean): void => {
    for (const waker of wakers) waker(isMarked);
  };

  async function add(tx: Writes, rows: readonly JobRow[]): Promise<readonly Enqueued[]> {
    const added = await tx.addJobs(rows);
    for (const caller of new Set(rows.filter(({ id }) => added.has(id)).map((row) => row.caller)))
      if ((await tx.countWaiting(owner, caller, maxWaitingPerCaller + 1)) > maxWaitingPerCaller) throw new FullError();
    return Promise.all(
      rows.map(async (row): Promise<Enqueued> => {
        if (added.has(row.id)) return { ok: true, job: toJob(row), isNew: true };
        const first = await tx.jobWithKey(owner, row.kind, row.caller, row.key!);
        if (first === undefined) throw new StoreError("STORE_UNAVAILABLE", "A job with the same key ended at this moment. Try again.");
        return { ok: true, job: toJob(first), isNew: false };
      }),
    );
  }

  const adds = createAddWriter(engine, add);

  async function enqueueAt(
    drafts: readonly JobDraft[],
    at: number | undefined,
    transaction?: BreadcrumbStore,
  ): Promise<readonly Enqueued[]> {
    const now = clock.now();
    const rows = drafts.map((draft) => toRow(owner, draft, now, at ?? now));
    const committed = (enqueued: readonly Enqueued[]): void => {
      const isNew = new Set(enqueued.flatMap((one) => (one.ok && one.isNew ? [one.job.id] : [])));
      for (const row of rows) if (isNew.has(row.id)) tell("added", row);
      if (isNew.size > 0) wake(false);
    };
    if (transaction !== undefined) {
      const { unit, engine: theirs } = insideOf(transaction);
      if (unit === undefined || theirs !== engine)
        throw new StoreError("QUERY_INVALID", "A job is added with the store that a transaction of its own store hands out.");
      // A transaction of the caller goes on: here the limit is looked at before anything is added.
      for (const caller of new Set(rows.map((row) => row.caller))) {
        const more = rows.filter((row) => row.caller === caller).length;
        if ((await unit.tx.countWaiting(owner, caller, maxWaitingPerCaller)) + more > maxWaitingPerCaller) return drafts.map(full);
      }
      const enqueued = await add(unit.tx, rows);
      unit.afterCommit(() => committed(enqueued));
      return enqueued;
    }
    try {
      const enqueued = await adds.write(rows);
      committed(enqueued);
      return enqueued;
    } catch (error) {
      if (error instanceof FullError) return drafts.map(full);
      throw error;
    }
  }

  const fullText = `its caller has ${maxWaitingPerCaller} waiting jobs already. Try again when some have run, or cancel some.`;
  const full = ({ subject }: JobDraft): Enqueued => {
    return { ok: false, code: "full", message: `The job for "${subject}" was not added: ${fullText}` };
  };

  async function change(
    id: string,
    work: (tx: Writes, row: JobRow) => Promise<JobRow | string>,
    type?: JobEvent["type"],
  ): Promise<JobChange> {
    const changed = await engine.writeAudit(async (tx) => {
      const row = await tx.job(owner, id);
      return row && work(tx, row);
    });
    if (changed === undefined) return { ok: false, code: "not-found", message: `There is no job "${id}". List the jobs for their ids.` };
    if (typeof changed === "string") return { ok: false, code: "state", message: changed };
    if (type !== undefined && (type !== "cancelled" || changed.state === "cancelled")) tell(type, changed);
    wake(true);
    return { ok: true, job: toJob(changed) };
  }

  /** The row may have changed in between: then it is what it is now that decides. */
  async function mark(tx: Writes, row: JobRow, marks: Partial<JobMarks>): Promise<JobRow | string> {
    const [changed] = await tx.changeJobs(owner, [row.id], marks, { state: row.state, attempt: row.attempt });
    return changed ?? `The job "${row.id}" changed at this moment. Look at it again.`;
  }

  async function list({ state, kind, caller, origin, after, limit = 100 }: JobQuery = {}) {
    const filter = {
      ...(state !== undefined && { state }),
      ...(kind !== undefined && { kind }),
      ...(caller !== undefined && { caller }),
      ...(origin !== undefined && { origin }),
    };
    return (await engine.jobs(owner, filter, after, Math.max(1, Math.min(1_000, limit)))).map(toJob);
  }

  return {
    async enqueue(draft, transaction) {
      return (await enqueueAt([draft], undefined, transaction))[0]!;
    },
    enqueueAll: (drafts, transaction) => enqueueAt(drafts, undefined, transaction),
    async schedule(draft, at, transaction) {
      return (await enqueueAt([draft], at, transaction))[0]!;
    },
    work: (handlers, workOptions) =>
      startWorker({ engine, clock, owner, tell, wakers, keep: { keepMs, keepDeadMs, keepAtLeastMs, maxEnded } }, handlers, workOptions),
    async get(id) {
      const row = await engine.job(owner, id);
      return row && toJob(row);
    },
    list,
    dead: (query = {}) => list({ ...query, state: "dead" }),
    async counts() {
      const counts: Record<JobState, number> = { waiting: 0, running: 0, done: 0, dead: 0, cancelled: 0 };
      for (const { state, count } of await engine.countJobs(owner)) counts[state] = count;
      return counts;
    },
    oldestDueAt: (kinds) => engine.firstDueAt(owner, kinds, clock.now()),
    retry: (id) =>
      change(id, async (tx, row) =>
        row.state === "waiting"
          ? mark(tx, row, { dueAt: Math.min(row.dueAt, clock.now()) })
          : `The job "${id}" is ${row.state}. Only a waiting job can be made due now; replay one that is dead or cancelled.`,
      ),
    replay: (id) =>
      change(
        id,
        async (tx, row) => {
          if (row.state !== "dead" && row.state !== "cancelled")
            return `The job "${id}" is ${row.state}. Only a dead or cancelled job can be replayed.`;
          if ((await tx.countWaiting(owner, row.caller, maxWaitingPerCaller)) >= maxWaitingPerCaller)
            return `The job "${id}" was not replayed: ${fullText}`;
          const again = { endedAt: undefined, failed: 0, lostBy: [], cancelling: false, holder: "" } as const;
          return mark(tx, row, { state: "waiting", dueAt: clock.now(), ...again });
        },
        "replayed",
      ),
    cancel: (id) =>
      change(
        id,
        async (tx, row) => {
          if (row.state === "waiting") return mark(tx, row, { state: "cancelled", endedAt: clock.now() });
          if (row.state === "running") return mark(tx, row, { cancelling: true });
          return `The job "${id}" is ${row.state} already, and cannot be cancelled.`;
        },
        "cancelled",
      ),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Rolls back a transaction of our own. */
class FullError extends Error {}

const day = 86_400_000;
