import { toIso } from "../store/clock.ts";
import type { CallSummary } from "./call-sums.ts";

export interface ToolStatistics {
  readonly tool: string;
  readonly calls: number;
  readonly errors: number;
  /** From 0 to 1. */
  readonly errorRate: number;
  /** To two significant digits. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly lastUsed: string;
}

export function toStatistics({ tool, calls, errors, p50Ms, p95Ms, lastAt }: CallSummary & { readonly tool: string }): ToolStatistics {
  return { tool, calls, errors, errorRate: errors / calls, p50Ms, p95Ms, lastUsed: toIso(lastAt) };
}
