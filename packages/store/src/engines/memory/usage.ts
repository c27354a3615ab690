import type { AuditRow } from "../../engine/audit.ts";
import { roundDuration, type UsageCount, type UsageReads } from "../../engine/usage.ts";
import type { MemoryTables } from "./tables.ts";

export function createUsageReads(current: () => MemoryTables): UsageReads {
  /** Numbers have no gaps, so that the index of a line follows from its number. */
  const indexOf = (number: number): number => number - current().auditBegin().number - 1;
  return {
    async countCalls({ owner, agent, principals, tool, from, to, bucketMs, after, before, lines }) {
      const rows = current().audit();
      const counts = new Map<string, Writable<UsageCount>>();
      const isFound = (row: AuditRow): boolean =>
        row.owner === owner &&
        (agent !== undefined
          ? row.kind === "call" && row.agent === agent
          : tool === undefined || (row.kind === "call" && row.subject === tool));
      let looked = 0;
      let lowest = before;
      for (let index = Math.min(rows.length, indexOf(before)) - 1; index >= 0 && looked < lines; index--) {
        const row = rows[index]!;
        if (row.number <= after) break;
        if (!isFound(row)) continue;
        looked += 1;
        lowest = row.number;
        if (row.kind !== "call" || row.at < from || row.at >= to || (tool !== undefined && row.subject !== tool)) continue;
        if (principals?.includes(row.principal) === false) continue;
        const bucket = Math.floor((row.at - from) / bucketMs);
        const durationMs = roundDuration(row.durationMs ?? 0);
        const code = row.code ?? "";
        const key = JSON.stringify([row.subject, bucket, durationMs, code]);
        const count = counts.get(key) ?? { tool: row.subject, bucket, durationMs, code, calls: 0, errors: 0, lastAt: row.at };
        counts.set(key, count);
        count.calls += 1;
        count.errors += row.ok === 0 ? 1 : 0;
        count.lastAt = Math.max(count.lastAt, row.at);
      }
      return { counts: [...counts.values()], lines: looked, lowest };
    },
    async firstNumberAt(at) {
      const rows = current().audit();
      let low = 0;
      let high = rows.length;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (rows[middle]!.at >= at) high = middle;
        else low = middle + 1;
      }
      return current().auditBegin().number + low + 1;
    },
  };
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
