import type { Writes } from "../engine/engine.ts";
import type { JobRow } from "../engine/jobs.ts";

export interface ClaimPlan {
  readonly owner: string;
  readonly kinds: readonly string[];
  readonly holder: string;
  readonly now: number;
  /** The caller that had the last turn. */
  readonly after: string;
  readonly free: number;
  readonly slotsPerCaller: number;
  /** How many jobs of each caller run here. */
  readonly perCaller: ReadonlyMap<string, number>;
}

export interface Claimed {
  readonly rows: readonly JobRow[];
  readonly after: string;
}

/** Gives callers with due jobs a turn each, beginning after the one that had the last turn, and claims as many jobs as there are free slots. */
export async function claimJobs(tx: Writes, plan: ClaimPlan): Promise<Claimed> {
  const { owner, kinds, holder, now, after, free, slotsPerCaller, perCaller } = plan;
  const roomOf = (caller: string): number => slotsPerCaller - (perCaller.get(caller) ?? 0);
  const wanted = free + [...perCaller.keys()].filter((caller) => roomOf(caller) <= 0).length;
  const later = await tx.dueCallers(owner, kinds, now, after, wanted);
  const earlier = later.length < wanted && after !== "" ? await tx.dueCallers(owner, kinds, now, "", wanted) : [];
  const callers = [...new Set([...later, ...earlier])].filter((caller) => roomOf(caller) > 0).slice(0, free);
  const each = Math.floor(free / callers.length);
  const due: JobRow[] = [];
  for (const caller of callers) due.push(...(await tx.lockDueJobs(owner, kinds, caller, now, Math.min(each, roomOf(caller)))));
  const rows: JobRow[] = [];
  for (const attempt of new Set(due.map((row) => row.attempt))) {
    const ids = due.filter((row) => row.attempt === attempt).map(({ id }) => id);
    const marks = { state: "running", holder, attempt: attempt + 1, startedAt: now, progress: undefined } as const;
    rows.push(...(await tx.changeJobs(owner, ids, marks, { state: "waiting", attempt })));
  }
  const order = new Map(due.map(({ id }, index) => [id, index]));
  rows.sort((a, b) => order.get(a.id)! - order.get(b.id)!);
  return { rows, after: callers.at(-1) ?? after };
}

export function ended(now: number): { readonly endedAt: number; readonly holder: string } {
  return { endedAt: now, holder: "" };
}
