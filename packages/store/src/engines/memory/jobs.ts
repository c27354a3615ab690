import type { JobReads, JobRow, JobWrites } from "../../engine/jobs.ts";
import { keyOf, type MemoryTables } from "./tables.ts";

export function createJobReads(current: () => MemoryTables): JobReads {
  const own = (owner: string): readonly JobRow[] => [...current().jobs()].filter((row) => row.owner === owner);
  const due = (owner: string, kinds: readonly string[], now: number): readonly JobRow[] =>
    own(owner).filter((row) => row.state === "waiting" && row.dueAt <= Math.floor(now) && kinds.includes(row.kind));
  return {
    job: async (owner, id) => current().job(keyOf(owner, id)),
    jobWithKey: async (owner, kind, caller, key) => own(owner).find((row) => row.kind === kind && row.caller === caller && row.key === key),
    async jobs(owner, filter, before, limit) {
      const wanted = Object.entries(filter).filter(([, value]) => value !== undefined) as [keyof JobRow, unknown][];
      const found = own(owner).filter((row) => wanted.every(([name, value]) => row[name] === value));
      return byId(found.filter(({ id }) => before === undefined || id < before))
        .toReversed()
        .slice(0, limit);
    },
    async countJobs(owner) {
      const counts = new Map<JobRow["state"], number>();
      for (const { state } of own(owner)) counts.set(state, (counts.get(state) ?? 0) + 1);
      return [...counts].map(([state, count]) => ({ state, count }));
    },
    countWaiting: async (owner, caller, most) =>
      Math.min(most, own(owner).filter((row) => row.state === "waiting" && row.caller === caller).length),
    async firstDueAt(owner, kinds, by) {
      const found = due(owner, kinds, by);
      return found.length === 0 ? undefined : found.reduce((least, { dueAt }) => Math.min(least, dueAt), by);
    },
    async dueCallers(owner, kinds, now, after, limit) {
      const callers = new Set(due(owner, kinds, now).map(({ caller }) => caller));
      return [...callers]
        .filter((caller) => caller > after)
        .sort()
        .slice(0, limit);
    },
    heldJobs: async (owner, holder) =>
      own(owner).filter((row) => row.state === "running" && (holder === undefined || row.holder === holder)),
  };
}

export function createJobWrites(current: () => MemoryTables): JobWrites {
  const put = (row: JobRow): void => current().putJob(keyOf(row.owner, row.id), row);
  const reads = createJobReads(current);
  return {
    async addJobs(rows) {
      const added = new Set<string>();
      for (const row of rows) {
        const { owner, id, kind, caller, key } = row;
        const isTaken = key !== undefined && (await reads.jobWithKey(owner, kind, caller, key)) !== undefined;
        if (isTaken || current().job(keyOf(owner, id)) !== undefined) continue;
        put({ ...row, createdAt: Math.floor(row.createdAt), dueAt: Math.floor(row.dueAt) });
        added.add(id);
      }
      return added;
    },
    async lockDueJobs(owner, kinds, caller, now, limit) {
      const own = [...current().jobs()].filter((row) => row.owner === owner && row.caller === caller && row.state === "waiting");
      const due = own.filter((row) => row.dueAt <= Math.floor(now) && kinds.includes(row.kind));
      return byId(due)
        .sort((a, b) => a.dueAt - b.dueAt)
        .slice(0, limit);
    },
    async changeJobs(owner, ids, change, expected) {
      const wanted = Object.entries(expected) as [keyof JobRow, unknown][];
      const rows = ids.flatMap((id) => current().job(keyOf(owner, id)) ?? []);
      const changed = rows.filter((row) => wanted.every(([name, value]) => row[name] === value)).map((row) => ({ ...row, ...change }));
      for (const row of changed) put(row);
      return changed;
    },
    async beatJobs(owner, holder) {
      const rows = (await reads.heldJobs(owner, holder)).map(({ id }) => current().job(keyOf(owner, id))!);
      const beaten = rows.map((row) => ({ ...row, beat: row.beat + 1 }));
      for (const row of beaten) put(row);
      return beaten;
    },
    async trimJobs(owner, before, most) {
      const ended = [...current().jobs()].filter((row) => row.owner === owner && row.endedAt !== undefined);
      const isOld = (row: JobRow): boolean => row.endedAt! <= Math.floor(row.state === "dead" ? before.dead : before.other);
      const kept = byId(ended.filter((row) => !isOld(row)))
        .toReversed()
        .sort((a, b) => b.endedAt! - a.endedAt!);
      const [dead, others] = [kept.filter(({ state }) => state === "dead"), kept.filter(({ state }) => state !== "dead")];
      const surplus = [...dead.slice(most), ...others.slice(most)].filter(({ endedAt }) => endedAt! <= before.surplus);
      const dropped = [...ended.filter(isOld), ...surplus];
      for (const { id } of dropped) current().putJob(keyOf(owner, id), undefined);
      return dropped.length;
    },
  };
}

function byId(rows: readonly JobRow[]): JobRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
