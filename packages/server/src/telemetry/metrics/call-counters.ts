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
  /** By tool and error. */
  durations(): Iterable<string>;
  /** The same durations by tool alone, under the name of earlier versions; undefined where nobody wants them. */
  oldDurations(): Iterable<string> | undefined;
}

interface CountedTool {
  readonly name: string;
  readonly type: string;
  readonly byCode: Map<string, { readonly labels: string; readonly seconds: Histogram; count: number }>;
  readonly seconds: Histogram | undefined;
}

/** `typeOf` is undefined for a name that no tool has. */
export function createCallCounters(typeOf: (name: string) => string | undefined, hasOldNames: boolean): CallCounters {
  const tools = new Map<string, CountedTool>();
  const unknown = countedTool("(unknown)", "function", hasOldNames);
  const other = countedTool("(other)", "function", hasOldNames);

  function find({ tool: name, result }: CallRecord): CountedTool {
    const known = tools.get(name);
    if (known !== undefined) return known;
    // Invented names must not become series. Tools of one caller are only in the list of that caller.
    const type = typeOf(name);
    if (type === undefined) return !result.ok && result.code === "TOOL_NOT_FOUND" ? unknown : other;
    if (tools.size >= maxTools) return other;
    const made = countedTool(name, type, hasOldNames);
    tools.set(name, made);
    return made;
  }

  function all(): readonly CountedTool[] {
    return [...tools.values(), ...[unknown, other].filter(({ byCode }) => byCode.size > 0)];
  }

  return {
    add(call) {
      const { name, type, byCode, seconds } = find(call);
      const { result } = call;
      const code = result.ok ? "OK" : result.code;
      let counted = byCode.get(code);
      if (counted === undefined) {
        const decision = decisionOf(call);
        const outcome = result.ok ? "ok" : decision === "allowed" || decision === "approved" ? "error" : "refused";
        const names = { gen_ai_tool_name: name, gen_ai_tool_type: type, ...(!result.ok && { error_type: code }) };
        const byError = createHistogram("gen_ai_execute_tool_duration_seconds", labels(names), conventionalBounds);
        byCode.set(code, (counted = { labels: labels({ tool: name, outcome, code }), seconds: byError, count: 0 }));
      }
      counted.count += 1;
      const took = (result.meta.durationMs - (result.meta.waitedMs ?? 0)) / 1_000;
      counted.seconds.add(took);
      seconds?.add(took);
    },
    *counts() {
      for (const { byCode } of all()) for (const counted of byCode.values()) yield [counted.labels, counted.count];
    },
    oldDurations: () => (hasOldNames ? all().flatMap(({ seconds }) => seconds?.text() ?? []) : undefined),
    *durations() {
      for (const { byCode } of all()) for (const { seconds } of byCode.values()) yield seconds.text();
    },
  };
}

/** Of gen_ai.execute_tool.duration. */
const conventionalBounds: readonly number[] = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);

function countedTool(name: string, type: string, hasOldNames: boolean): CountedTool {
  const seconds = hasOldNames ? createHistogram("toolrack_call_duration_seconds", labels({ tool: name })) : undefined;
  return { name, type, byCode: new Map(), seconds };
}
