import type { Engine } from "../engine/engine.ts";
import type { HeldJob, JobRow } from "../engine/jobs.ts";

export interface TakeOver {
  /**
   * Makes jobs wait again whose holder ended, or renewed nothing for so long; and those in `unstarted`, which their holder never began.
   * Returns the jobs that wait again, and those that were to be cancelled, and are.
   */
  free(engine: Engine, owner: string, others: readonly HeldJob[], unstarted: ReadonlySet<string>, now: number): Promise<readonly JobRow[]>;
}

export interface TakeOverOptions {
  readonly silentMs: number;
  hasEnded(holder: string): boolean;
}

/** Judges by this process's own looks at the beats: no two clocks are compared, and a clock that jumps is outlived by two more looks. */
export function createTakeOver({ silentMs, hasEnded }: TakeOverOptions): TakeOver {
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

  return {
    async free(engine, owner, others, unstarted, now) {
      note(others, now);
      const gone = others.filter((job) => unstarted.has(job.id) || hasEnded(job.holder) || isSilent(job, now));
      if (gone.length === 0) return [];
      return engine.writeAudit(async (tx) => {
        const freed: JobRow[] = [];
        for (const { id, holder, beat } of gone) {
          const row = await tx.job(owner, id);
          if (row === undefined) continue;
          const counted = unstarted.has(id) ? { attempt: row.attempt - 1 } : { lostBy: [...row.lostBy, holder] };
          const state = row.cancelling ? ({ state: "cancelled", endedAt: now } as const) : ({ state: "waiting", dueAt: now } as const);
          freed.push(...(await tx.changeJobs(owner, [id], { ...state, ...counted, holder: "" }, { state: "running", holder, beat })));
        }
        return freed;
      });
    },
  };
}

const fewestLooks = 3;
