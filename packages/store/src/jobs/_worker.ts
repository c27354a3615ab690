import type { Clock } from "@toolrack/core/node";
import type { Engine, Writes } from "../engine/engine.ts";
import type { HeldJob, JobRow } from "../engine/jobs.ts";
import { StoreError } from "../errors.ts";
import { claimJobs } from "./_claim.ts";
import { createEndWriter } from "./_ends.ts";
import { nextHolder, serverOf } from "./_holder.ts";
import type { JobEvent, JobHandlers, JobQueueOptions, JobWorker, WorkOptions } from "./job-queue.ts";
import { type JobRunner, startRun } from "./_run.ts";
import { createTakeOver, defaultLostDelaysMs } from "./_take-over.ts";

export interface WorkerHost {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly owner: string;
  tell(type: JobEvent["type"], row: JobRow): void;
  /** Called when a job became due in this process, or, with `isMarked`, when somebody changed one. */
  readonly wakers: Set<(isMarked: boolean) => void>;
  readonly keep: Required<Pick<JobQueueOptions, "keepMs" | "keepDeadMs" | "keepAtLeastMs" | "maxEnded">>;
}

/**
 * Looks for due jobs, one look at a time: when the first one is due, at every poll for those of other processes, and at once when this process
 * made one due or a slot became free.
 */
export function startWorker(host: WorkerHost, handlers: JobHandlers, options: WorkOptions): JobWorker {
  const { engine, clock, owner, tell, wakers, keep } = host;
  const { slots = 8, slotsPerCaller = 4, pollMs = 1_000, beatMs = 5_000, silentMs = 30_000, onStoreFailed } = options;
  const { lostDelaysMs = defaultLostDelaysMs, random = Math.random } = options;
  /** More may be added at any time. */
  const kinds = (): readonly string[] => Object.keys(handlers);
  const running = new Map<string, JobRunner>();
  const holderNow = nextHolder(options.holder);
  const takeOver = createTakeOver({
    silentMs,
    lostDelaysMs,
    random,
    hasEnded: (holder) => options.hasEnded?.(serverOf(holder)) === true,
  });
  const failed = (error: unknown): void => onStoreFailed?.(error);
  const ends = createEndWriter({ engine, clock, owner, tell, onStoreFailed: failed });
  let cursor = "";
  /** The last claim found as many jobs as there were free slots. */
  let isFull = false;
  /** When to look at what others did to the jobs of this worker. */
  let heldAt = 0;
  let beatAt = 0;
  let trimAt = 0;
  let looking: Promise<void> | undefined;
  let again = false;
  /** Until the next look: less than a poll where a job is due before that. */
  let waitMs = pollMs;
  let isClosed = false;
  let cancelTimer: (() => void) | undefined;

  async function claim(): Promise<boolean> {
    const active = [...running.values()].filter(({ isOver }) => !isOver);
    // Who stores the end of a job does not use its slot any more; but of ends that cannot be stored there are not to be ever more.
    const free = Math.min(slots - active.length, 2 * slots - running.size);
    waitMs = pollMs;
    if (free <= 0) return false;
    if (!isFull) {
      const now = clock.now();
      const firstAt = await engine.firstDueAt(owner, kinds(), now + pollMs);
      if (firstAt === undefined) return false;
      if (firstAt > now) {
        waitMs = Math.ceil(firstAt - now);
        return false;
      }
    }
    const wasFull = isFull;
    isFull = false;
    const perCaller = new Map<string, number>();
    for (const { row } of active) perCaller.set(row.caller, (perCaller.get(row.caller) ?? 0) + 1);
    const claimed = await engine.writeAudit((tx: Writes) =>
      claimJobs(tx, { owner, kinds: kinds(), holder: holderNow(), now: clock.now(), after: cursor, free, slotsPerCaller, perCaller }),
    );
    cursor = claimed.after;
    for (const row of claimed.rows) start(row);
    isFull = claimed.rows.length === free;
    return (wasFull || claimed.rows.length > 0) && !isFull;
  }

  function start(row: JobRow): void {
    const run = startRun({ engine, clock, owner, ends, random, tell, onStoreFailed: failed, onOver: wake }, row, handlers[row.kind]!);
    // Another server gave up an earlier run of it that still goes on here: that one does not count any more.
    running.get(row.id)?.look(undefined);
    running.set(row.id, run);
    void run.ended.then(() => {
      if (running.get(row.id) === run) running.delete(row.id);
      wake();
    });
  }

  /** Learns what others did to the jobs of this worker, renews its leases, and frees jobs of servers that are gone. */
  async function keepLeases(): Promise<void> {
    const now = clock.now();
    const isBeat = now >= beatAt;
    if (!isBeat && (running.size === 0 || now < heldAt)) return;
    heldAt = now + pollMs;
    if (isBeat) {
      beatAt = now + beatMs;
      const holders = new Set([...running.values()].map(({ row }) => row.holder));
      for (const holder of holders) await engine.writeAudit((tx) => tx.beatJobs(owner, holder));
    }
    const held = await engine.heldJobs(owner);
    const mine = new Map(held.map((job) => [job.id, job]));
    for (const run of running.values()) run.look(mine.get(run.row.id));
    if (!isBeat) return;
    const others = held.filter((job) => !running.has(job.id));
    for (const freed of await takeOver.free(engine, owner, others, heldBy(holderNow(), others), now))
      tell(freed.state === "waiting" ? "retry" : (freed.state as "cancelled" | "dead"), freed);
    if (now < trimAt) return;
    trimAt = now + trimEveryMs;
    const before = { dead: now - keep.keepDeadMs, other: now - keep.keepMs, surplus: now - keep.keepAtLeastMs };
    await engine.writeAudit((tx) => tx.trimJobs(owner, before, keep.maxEnded));
  }

  async function look(): Promise<void> {
    do {
      // What ends or is added in the same turn of the event loop is looked at together.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      again = false;
      await keepLeases();
      if (isClosed) return;
      if (await claim()) again = true;
    } while (again && !isClosed);
  }

  function wake(): void {
    again = true;
    if (looking !== undefined || isClosed) return;
    cancelTimer?.();
    looking = look()
      .catch((error: unknown) => {
        again = false;
        if (StoreError.is(error) && error.code === "STORE_CLOSED") isClosed = true;
        else onStoreFailed?.(error);
      })
      .finally(() => {
        looking = undefined;
        if (isClosed) return;
        // Somebody called while the look was ending.
        if (again) wake();
        else cancelTimer = clock.after(waitMs, wake);
      });
  }

  function wakeFor(isMarked: boolean): void {
    if (isMarked) heldAt = 0;
    wake();
  }

  wakers.add(wakeFor);
  wake();
  return {
    running: () => running.size,
    wake,
    async close(graceMs = 10_000) {
      wakers.delete(wakeFor);
      isClosed = true;
      cancelTimer?.();
      await looking;
      const ended = (): Promise<unknown> => Promise.all([...running.values()].map((run) => run.ended));
      await within(clock, graceMs, ended());
      for (const run of running.values()) run.stop();
      // A handler that does not listen to its signal loses the lease with the process.
      await within(clock, afterAbortMs, ended());
    },
  };
}

/** The jobs of this holder that it does not run: a claim whose commit was not answered. */
function heldBy(holder: string, others: readonly HeldJob[]): ReadonlySet<string> {
  return new Set(others.filter((job) => job.holder === holder).map(({ id }) => id));
}

async function within(clock: Clock, milliseconds: number, work: Promise<unknown>): Promise<void> {
  let cancel: (() => void) | undefined;
  const late = new Promise<void>((resolve) => (cancel = clock.after(milliseconds, resolve)));
  await Promise.race([work, late]);
  cancel?.();
}

const trimEveryMs = 60_000;
const afterAbortMs = 5_000;
