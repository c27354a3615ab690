import { setImmediate as nextTurn } from "node:timers/promises";
import { storable } from "../engine/chain.ts";
import { createTurns } from "../queue/turns.ts";
import type { UsageCount, UsagePlan } from "../engine/usage.ts";
import type { Engine } from "../engine/engine.ts";
import { numberBefore } from "../engine/time-range.ts";
import { type CallSummary, createCallSums, type CallSums } from "./call-sums.ts";

export interface UsageQuery {
  readonly tool?: string;
  /** The agent of the caller, or its sender if it has no agent. */
  readonly agent?: string;
  /** With `agent`: only its calls by one of these. */
  readonly principals?: readonly string[];
  /** Only these tools. */
  readonly includes?: (tool: string) => boolean;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** The length of each interval. */
  readonly bucketMs: number;
}

export interface ToolUsage extends SummaryOverTime {
  readonly tool: string;
}

export interface SummaryOverTime extends CallSummary {
  /** Intervals with calls, in order of time. */
  readonly buckets: readonly (CallSummary & { readonly at: number })[];
}

export interface Usage {
  /** The tool with the most calls first. */
  readonly tools: readonly ToolUsage[];
  /** All tools together: percentiles are those of all calls, not a mean or maximum of the tools'. */
  readonly total: SummaryOverTime;
  /** False if there were more lines than one query reads: the oldest are left out. */
  readonly isComplete: boolean;
}

/** Counts calls in the database, some lines at a time, so that other queries never wait long. */
export interface UsageReader {
  read(query: UsageQuery): Promise<Usage>;
  /** All calls of the log by tool, in the order of names. Lines that were counted before are not read again. */
  totals(): Promise<readonly (CallSummary & { readonly tool: string })[]>;
}

/** Lines per query of the database, lines and tools per answer, and tools in the totals. */
export const usageLimits: UsageLimits = Object.freeze({ linesAtOnce: 1_000, lines: 50_000, tools: 500, toolsInTotal: 10_000 });

export interface UsageLimits {
  readonly linesAtOnce: number;
  readonly lines: number;
  readonly tools: number;
  readonly toolsInTotal: number;
}

export function createUsageReader(engine: Engine, owner: string): UsageReader {
  const turns = createTurns();
  let known = { begin: 0, upTo: 0, tools: new Map<string, CallSums>() };

  /** Calls `take` with the counts of some lines at a time, the newest first; returns whether it reached the end. */
  async function walk(
    plan: Omit<UsagePlan, "owner" | "lines">,
    most: number,
    take: (counts: readonly UsageCount[]) => void,
  ): Promise<boolean> {
    let { before } = plan;
    for (let looked = 0; looked < most;) {
      const part = await engine.countCalls({ ...plan, owner, before, lines: usageLimits.linesAtOnce });
      take(part.counts);
      if (part.lines < usageLimits.linesAtOnce) return true;
      looked += part.lines;
      before = part.lowest;
      await nextTurn();
    }
    return false;
  }

  return {
    read: ({ tool, agent, principals, includes, ...query }) =>
      turns.alone(async () => {
        const [from, to, bucketMs] = [toWhole(query.from), toWhole(query.to), Math.max(1, toWhole(query.bucketMs))];
        const tools = new Map<string, SumsOverTime>();
        const total = createSumsOverTime();
        let isComplete = true;
        const take = (counts: readonly UsageCount[]): void => {
          for (const count of counts) {
            if (includes?.(count.tool) === false) continue;
            total.add(count);
            let own = tools.get(count.tool);
            if (own === undefined) {
              if (tools.size >= usageLimits.tools) {
                isComplete = false;
                continue;
              }
              tools.set(count.tool, (own = createSumsOverTime()));
            }
            own.add(count);
          }
        };
        const wanted = {
          ...(tool !== undefined && { tool: storable(tool) }),
          ...(agent !== undefined && { agent: storable(agent) }),
          ...(principals !== undefined && { principals: principals.map(storable) }),
        };
        const after = await numberBefore(engine, from);
        const cameToEnd = await walk({ ...wanted, from, to, bucketMs, after, before: highest }, usageLimits.lines, take);
        const found = [...tools].map(([name, sums]) => ({ tool: name, ...sums.summary(from, bucketMs) }));
        return {
          tools: found.sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1)),
          total: total.summary(from, bucketMs),
          isComplete: isComplete && cameToEnd,
        };
      }),
    totals: () =>
      turns.alone(async () => {
        const { first, last } = await engine.auditEnds();
        // Removed lines no longer count.
        if (first.number !== known.begin) known = { begin: first.number, upTo: first.number, tools: new Map() };
        const { tools, upTo } = known;
        const take = (counts: readonly UsageCount[]): void => {
          for (const count of counts) {
            let sums = tools.get(count.tool);
            if (sums === undefined) {
              if (tools.size >= usageLimits.toolsInTotal) continue;
              tools.set(count.tool, (sums = createCallSums()));
            }
            sums.add(count);
          }
        };
        known = { begin: -1, upTo: 0, tools: new Map() }; // after a failure, everything is counted again
        const all = { from: 0, to: highest, bucketMs: highest, after: upTo, before: last.number + 1 };
        await walk(all, Number.POSITIVE_INFINITY, take);
        known = { begin: first.number, upTo: last.number, tools };
        return [...tools].map(([tool, sums]) => ({ tool, ...sums.summary() })).sort((a, b) => (a.tool < b.tool ? -1 : 1));
      }),
  };
}

interface SumsOverTime {
  add(count: UsageCount): void;
  summary(from: number, bucketMs: number): SummaryOverTime;
}

function createSumsOverTime(): SumsOverTime {
  const all = createCallSums();
  const buckets = new Map<number, CallSums>();
  return {
    add(count) {
      all.add(count);
      let bucket = buckets.get(count.bucket);
      if (bucket === undefined) buckets.set(count.bucket, (bucket = createCallSums()));
      bucket.add(count);
    },
    summary: (from, bucketMs) => ({
      ...all.summary(),
      buckets: [...buckets].sort(([a], [b]) => a - b).map(([index, one]) => ({ at: from + index * bucketMs, ...one.summary() })),
    }),
  };
}

const highest = Number.MAX_SAFE_INTEGER;

function toWhole(value: number): number {
  return Math.max(-highest, Math.min(highest, Math.floor(value)));
}
