import type { CallRecord } from "@toolrack/core";
import { decisionOf } from "../trace/decision.ts";
import { createHistogram, type Histogram } from "./histogram.ts";
import { maxTools } from "./metric-list.ts";
import { labels } from "./prometheus.ts";

/** Counts the calls of the process, independent of the audit log. */
export interface CallCounters {
  add(call: CallRecord): void;
  /** [labels, count] */
  counts(): Iterable<readonly [string, number]>;
  durations(): Iterable<string>;
}

interface CountedTool {
  readonly name: string;
  readonly byCode: Map<string, { readonly labels: string; count: number }>;
  readonly seconds: Histogram;
}

export function createCallCounters(isTool: (name: string) => boolean): CallCounters {
  const tools = new Map<string, CountedTool>();
  const unknown = countedTool("(unknown)");
  const other = countedTool("(other)");

  function find({ tool: name, result }: CallRecord): CountedTool {
    const known = tools.get(name);
    if (known !== undefined) return known;
    // Invented names must not become series. Tools of one caller are only in the list of that caller.
    if (!isTool(name)) return !result.ok && result.code === "TOOL_NOT_FOUND" ? unknown : other;
    if (tools.size >= maxTools) return other;
    const made = countedTool(name);
    tools.set(name, made);
    return made;
  }

  function all(): readonly CountedTool[] {
    return [...tools.values(), ...[unknown, other].filter(({ byCode }) => byCode.size > 0)];
  }

  return {
    add(call) {
      const { name, byCode, seconds } = find(call);
      const { result } = call;
      const code = result.ok ? "OK" : result.code;
      let counted = byCode.get(code);
      if (counted === undefined) {
        const decision = decisionOf(call);
        const outcome = result.ok ? "ok" : decision === "allowed" || decision === "approved" ? "error" : "refused";
        byCode.set(code, (counted = { labels: labels({ tool: name, outcome, code }), count: 0 }));
      }
      counted.count += 1;
      seconds.add((result.meta.durationMs - (result.meta.waitedMs ?? 0)) / 1_000);
    },
    *counts() {
      for (const { byCode } of all()) for (const counted of byCode.values()) yield [counted.labels, counted.count];
    },
    *durations() {
      for (const { seconds } of all()) yield seconds.text();
    },
  };
}

function countedTool(name: string): CountedTool {
  return { name, byCode: new Map(), seconds: createHistogram("toolrack_call_duration_seconds", labels({ tool: name })) };
}
