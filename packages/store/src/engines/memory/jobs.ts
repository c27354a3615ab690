import type { JobReads, JobRow, JobWrites } from "../../engine/jobs.ts";
import { keyOf, type MemoryTables } from "./tables.ts";

export function createJobReads(current: () => MemoryTables): JobReads {
  const own = (owner: string): readonly JobRow[] => [...current().jobs.all()].filter((row) => row.owner === owner);
  return {
    job: async (owner, id) => current().jobs.get(keyOf(owner, id)),
    jobWithKey: async (owner, kind, caller, key) => current().jobs.withKey(owner, kind, caller, key),
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
    countWaiting: async (owner, caller, most) => current().jobs.countWaiting(owner, caller, most),
    async firstDueAt(owner, kinds, by) {
      return firstDue(current().jobs.waiting(owner), kinds, by, 1)[0]?.dueAt;
    },
    async dueCallers(owner, kinds, now, after, limit) {
      const found: string[] = [];
      for (const caller of current().jobs.callers(owner, after)) {
        if (found.length >= limit) break;
        if (firstDue(current().jobs.waiting(owner, caller), kinds, now, 1).length > 0) found.push(caller);
      }
      return found;
    },
    heldJobs: async (owner, holder) => [...current().jobs.running(owner)].filter((row) => holder === undefined || row.holder === holder),
  };
}

export function createJobWrites(current: () => MemoryTables): JobWrites {
  const put = (row: JobRow): void => current().jobs.put(keyOf(row.owner, row.id), row);
  const reads = createJobReads(current);
  return {
    async addJobs(rows) {
      const added = new Set<string>();
      for (const row of rows) {
        const { owner, id, kind, caller, key } = row;
        const isTaken = key !== undefined && (await reads.jobWithKey(owner, kind, caller, key)) !== undefined;
        if (isTaken || current().jobs.get(keyOf(owner, id)) !== undefined) continue;
        put({ ...row, createdAt: Math.floor(row.createdAt), dueAt: Math.floor(row.dueAt) });
        added.add(id);
      }
      return added;
    },
    async lockDueJobs(owner, kinds, caller, now, limit) {
      return firstDue(current().jobs.waiting(owner, caller), kinds, now, limit);
    },
    async changeJobs(owner, ids, change, expected) {
      const wanted = Object.entries(expected) as [keyof JobRow, unknown][];
      const rows = ids.flatMap((id) => current().jobs.get(keyOf(owner, id)) ?? []);
      const changed = rows.filter((row) => wanted.every(([name, value]) => row[name] === value)).map((row) => ({ ...row, ...change }));
      for (const row of changed) put(row);
      return changed;
    },
    async beatJobs(owner, holder) {
      const rows = (await reads.heldJobs(owner, holder)).map(({ id }) => current().jobs.get(keyOf(owner, id))!);
      const beaten = rows.map((row) => ({ ...row, beat: row.beat + 1 }));
      for (const row of beaten) put(row);
      return beaten;
    },
    async trimJobs(owner, before, most) {
      const ended = [...current().jobs.all()].filter((row) => row.owner === owner && row.endedAt !== undefined);
      const isOld = (row: JobRow): boolean => row.endedAt! <= Math.floor(row.state === "dead" ? before.dead : before.other);
      const kept = byId(ended.filter((row) => !isOld(row)))
        .toReversed()
        .sort((a, b) => b.endedAt! - a.endedAt!);
      const [dead, others] = [kept.filter(({ state }) => state === "dead"), kept.filter(({ state }) => state !== "dead")];
      const surplus = [...dead.slice(most), ...others.slice(most)].filter(({ endedAt }) => endedAt! <= before.surplus);
      const dropped = [...ended.filter(isOld), ...surplus];
      for (const { id } of dropped) current().jobs.put(keyOf(owner, id), undefined);
      return dropped.length;
    },
  };
}

function byId(rows: readonly JobRow[]): JobRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Of rows in the order in which they are due. */
function firstDue(rows: Iterable<JobRow>, kinds: readonly string[], now: number, limit: number): readonly JobRow[] {
  const found: JobRow[] = [];
  for (const row of rows) {
    if (found.length >= limit || row.dueAt > Math.floor(now)) break;
    if (kinds.includes(row.kind)) found.push(row);
  }
  return found;
}
