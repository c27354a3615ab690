import { createFakeClock, type FakeClock } from "@toolrack/core/testing";
import type { Enqueued, Job, JobDraft, JobEvent, JobHandler, JobQueue, JobWorker, WorkOptions } from "../../jobs/job-queue.ts";
import { expect } from "./_expect.ts";

export const draft = (subject: string, more: Partial<JobDraft> = {}): JobDraft => ({
  kind: "call",
  caller: "ann",
  subject,
  payload: { text: subject },
  ...more,
});

export function added(enqueued: Enqueued): Job {
  expect(enqueued.ok).toBe(true);
  return (enqueued as Extract<Enqueued, { ok: true }>).job;
}

/** Resolves with the first event of this type, from now on, about this job or any. */
export function event(queue: JobQueue, type: JobEvent["type"], id?: string): Promise<Job> {
  return new Promise((resolve) => {
    const stop = queue.subscribe((one) => {
      if (one.type !== type || (id !== undefined && one.job.id !== id)) return;
      stop();
      resolve(one.job);
    });
  });
}

export const fine: JobHandler = async ({ job }) => ({ done: { did: job.subject } });
export const asOne = (more: Partial<WorkOptions> = {}): WorkOptions => ({ holder: () => "one", pollMs: 20, ...more });

/** Lets time pass until the promise settles. It stands still while nothing waits for it: however slow the store is, a worker's look takes none. */
export async function passing<Value>(clock: FakeClock, queue: JobQueue, promise: Promise<Value>): Promise<Value> {
  let isOver = false;
  void promise.finally(() => (isOver = true)).catch(() => undefined);
  while (!isOver) await pass(clock, queue, clock.pending > 0 ? 500 : 0);
  return promise;
}

export async function pass(clock: FakeClock, queue: JobQueue, milliseconds: number): Promise<void> {
  await clock.advance(milliseconds);
  for (let turn = 0; turn < 4; turn++) await queue.get("none");
}

/** A clock whose timers do not learn of a jump. */
export function jumpingClock(): FakeClock & { jump(milliseconds: number): void } {
  const clock = createFakeClock(1_000_000);
  let jumped = 0;
  return {
    ...clock,
    get pending() {
      return clock.pending;
    },
    now: () => clock.now() + jumped,
    jump: (milliseconds) => void (jumped += milliseconds),
  };
}

/** As a process does that is killed: it settles nothing that still runs, and renews no lease. */
export function vanish(worker: JobWorker): void {
  void worker.close(Number.MAX_SAFE_INTEGER);
}
