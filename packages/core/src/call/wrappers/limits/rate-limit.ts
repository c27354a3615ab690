import { compilePattern } from "../../../util/glob.ts";
import { normalizeToolName } from "../../../tool/name.ts";
import { isGovernedAs, registeredNameOf } from "../../../tool/registered.ts";
import type { ToolDefinition } from "../../../tool/tool.ts";
import type { Call, Wrapper } from "../../wrapper.ts";
import { createBoundedMap } from "./_bounded-map.ts";
import { requireCount, requireMs } from "../../require-number.ts";

/** At most `calls` in any period of `perMs` milliseconds. */
export interface RateLimitRule {
  readonly calls: number;
  readonly perMs: number;
  /** The tools that the rule applies to; `*` matches any text. @default all */
  readonly tool?: string;
  /** What is counted together: all calls of a "caller", or all calls of a "tool". @default each pair of caller and tool */
  readonly by?: "caller" | "tool";
}

export interface RateLimitOptions {
  /** How many counters each rule keeps; the least recently used are dropped. @default 10_000 */
  maxKeys?: number;
}

/**
 * Refuses a call that would exceed one of the rules, and says when to call again. A refused call is not counted.
 * A caller is identified by tenant, agent and sender; all unknown callers count as one.
 */
export function createRateLimit(rules: readonly RateLimitRule[], options: RateLimitOptions = {}): Wrapper {
  const maxKeys = requireCount("maxKeys", options.maxKeys ?? 10_000, 2);
  const counters = rules.map((rule) => createCounter(rule, maxKeys));
  const countersOf = new WeakMap<ToolDefinition, readonly Counter[]>();

  const matching = (tool: ToolDefinition): readonly Counter[] => {
    let found = countersOf.get(tool);
    if (found === undefined) {
      const isAbout = ({ matches }: Counter): boolean => isGovernedAs(tool, (name) => matches(normalizeToolName(name)));
      countersOf.set(tool, (found = counters.filter(isAbout)));
    }
    return found;
  };

  return {
    name: "rate-limit",
    appliesTo: (tool) => matching(tool).length > 0,
    beforeRun(call) {
      const found = matching(call.tool);
      const caller = callerKey(call);
      const now = call.clock.now();
      for (const { rule, waitMs } of found) {
        const retryAfterMs = waitMs(call, caller, now);
        if (retryAfterMs === 0) continue;
        const error = `Tool "${call.tool.name}" may be called ${rule.calls} times in ${rule.perMs} ms. Call it again in ${retryAfterMs} ms.`;
        return call.fail("RATE_LIMITED", error, { retryable: true, retryAfterMs });
      }
      for (const counter of found) counter.count(call, caller, now);
      return undefined;
    },
  };
}

interface Counter {
  readonly rule: RateLimitRule;
  matches(toolName: string): boolean;
  /** 0 if another call is allowed now. */
  waitMs(call: Call, caller: string, now: number): number;
  count(call: Call, caller: string, now: number): void;
}

/** When the last calls were made; once full, the oldest is overwritten. */
interface LastCalls {
  readonly times: number[];
  oldest: number;
}

function createCounter(rule: RateLimitRule, maxKeys: number): Counter {
  const calls = requireCount("calls", rule.calls);
  const perMs = requireMs("perMs", rule.perMs);
  const kept = createBoundedMap<LastCalls>(maxKeys);
  const keyOf = ({ tool }: Call, caller: string): string =>
    rule.by === "tool" ? registeredNameOf(tool) : rule.by === "caller" ? caller : caller + registeredNameOf(tool);
  return {
    rule,
    matches: compilePattern(normalizeToolName(rule.tool ?? "*")),
    waitMs(call, caller, now) {
      const last = kept.get(keyOf(call, caller));
      return last === undefined || last.times.length < calls ? 0 : Math.max(0, Math.ceil(last.times[last.oldest]! + perMs - now));
    },
    count(call, caller, now) {
      const key = keyOf(call, caller);
      const last = kept.get(key);
      if (last === undefined) kept.set(key, { times: [now], oldest: 0 });
      else if (last.times.length < calls) last.times.push(now);
      else {
        last.times[last.oldest] = now;
        last.oldest = (last.oldest + 1) % calls;
      }
    },
  };
}

/** As JSON, so that no sender can forge another one's key. */
function callerKey({ caller }: Call): string {
  return JSON.stringify([caller.tenant, caller.principal, caller.agent, caller.sender]);
}
