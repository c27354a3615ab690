import type { CallCount } from "../engines/_audit.ts";
import { toIso } from "../store/clock.ts";

export interface ToolStatistics {
  readonly tool: string;
  readonly calls: number;
  readonly errors: number;
  /** From 0 to 1. */
  readonly errorRate: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly lastUsed: string;
}

/** `durationAt` gives the duration at a place of the ordered list, counted from 0. */
export async function toStatistics(count: CallCount, durationAt: (place: number) => Promise<number>): Promise<ToolStatistics> {
  const { tool, calls, errors, lastAt } = count;
  const at = (share: number): Promise<number> => durationAt(Math.min(calls - 1, Math.ceil(calls * share) - 1));
  const [p50Ms, p95Ms] = await Promise.all([at(0.5), at(0.95)]);
  return { tool, calls, errors, errorRate: errors / calls, p50Ms, p95Ms, lastUsed: toIso(lastAt) };
}
