import type { Engine } from "../engine/engine.ts";
import type { HeldJob, JobMarks, JobRow } from "../engine/jobs.ts";
import { serverOf } from "./_holder.ts";
import { delayAfter } from "./_rows.ts";

export interface TakeOver {
  /**
   * Makes jobs wait again whose holder ended, or renewed nothing for so long; and those in `unstarted`, which their holder never began.
   * A job may be what ends its servers: it waits longer after each, and is dead after three. Returns the jobs that wait again, are dead, or
   * were to be cancelled, and are.
   */
  free(engine: Engine, owner: string, others: readonly HeldJob[], unstarted: ReadonlySet<string>, now: number): Promise<readonly JobRow[]>;
}

export interface TakeOverOptions {
  readonly silentMs: number;
  /** How long a job waits after each lost holder; the last one repeats. */
  readonly lostDelaysMs: readonly number[];
  random(): number;
  hasEnded(holder: string): boolean;
}

/** Judges by this process's own looks at the beats: no two clocks are compared, and a clock that jumps is outlived by two more looks. */
export function createTakeOver({ silentMs, lostDelaysMs, random, hasEnded }: TakeOverOptions): TakeOver {
  let seen = new Map<string, { readonly mark: string; readonly since: number; readonly looks: number }>();

  function isSilent({ id, holder, beat }: HeldJob, now: number): boolean {
    const last = seen.get(id);
    return last !== undefined && last.mark === `${holder} ${beat}` && last.looks >= fewestLooks && now - last.since >= silentMs;
  }

  function note(others: readonly HeldJob[], now: number): void {
    const next: typeof seen = new Map();
    for (const { id, holder, beat } of others) {
      const mark = `${holder} ${beat}`;
      const last = seen.get(id);
      next.set(id, last?.mark === mark ? { ...last, looks: last.looks + 1 } : { mark, since: now, looks: 1 });
    }
    seen = next;
  }

  function lostMarks(row: JobRow, holder: string, now: number): Partial<JobMarks> {
    const lostBy = [...row.lostBy, holder];
    const fact = `Server "${serverOf(holder)}" stopped while running it`;
    if (lostBy.length < mostLost || row.cancelling)
      return { ...freed(row, delayAfter(lostBy.length, lostDelaysMs, random), now), lostBy, error: lostError(`${fact}.`) };
    const message = `${fact}, as ${mostLost - 1} others did before. Look for what ends them, then replay the job.`;
    return { state: "dead", endedAt: now, lostBy, error: lostError(message) };
  }

  return {
    async free(engine, owner, others, unstarted, now) {
      note(others, now);
      const gone = others.filter((job) => unstarted.has(job.id) || hasEnded(job.holder) || isSilent(job, now));
      if (gone.length === 0) return [];
      return engine.writeAudit(async (tx) => {
        const rows: JobRow[] = [];
        for (const { id, holder, beat } of gone) {
          const row = await tx.job(owner, id);
          if (row === undefined) continue;
          const marks = unstarted.has(id) ? { attempt: row.attempt - 1, ...freed(row, 0, now) } : lostMarks(row, holder, now);
          rows.push(...(await tx.changeJobs(owner, [id], { ...marks, holder: "" }, { state: "running", holder, beat })));
        }
        return rows;
      });
    },
  };
}

function freed({ cancelling }: JobRow, delayMs: number, now: number): Partial<JobMarks> {
  return cancelling ? { state: "cancelled", endedAt: now } : { state: "waiting", dueAt: now + delayMs };
}

function lostError(message: string): string {
  return JSON.stringify({ code: "SERVER_LOST", message });
}

const fewestLooks = 3;
export const defaultLostDelaysMs: readonly number[] = [10_000, 40_000];
const mostLost = 3;
