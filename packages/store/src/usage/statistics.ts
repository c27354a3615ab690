import { toIso } from "../store/clock.ts";
import type { CallSummary } from "./call-sums.ts";

export interface ToolStatistics {
  readonly tool: string;
  readonly calls: number;
  /** Calls that failed; those that were refused, invalid or denied are counted apart. */
  readonly errors: number;
  readonly refused: number;
  readonly invalid: number;
  readonly denied: number;
  /** From 0 to 1. */
  readonly errorRate: number;
  /** To two significant digits. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly lastUsed: string;
}

export function toStatistics(sums: CallSummary & { readonly tool: string }): ToolStatistics {
  const { tool, calls, errors, refused, invalid, denied, p50Ms, p95Ms, lastAt } = sums;
  return { tool, calls, errors, refused, invalid, denied, errorRate: errors / calls, p50Ms, p95Ms, lastUsed: toIso(lastAt) };
}
