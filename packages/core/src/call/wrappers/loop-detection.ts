import { type ErrorCode, ToolError } from "../../errors.ts";
import type { ToolResult } from "../../tool/result.ts";
import { contentHash, nodeCrypto } from "../../util/hash.ts";
import type { Call, Wrapper } from "../wrapper.ts";
import { createBoundedMap } from "./_bounded-map.ts";
import { requireCount, runKey } from "./_shared.ts";

export interface LoopDetectionOptions {
  /** After how many equal outcomes the same call carries a warning. @default 10 */
  warnAt?: number;
  /** After how many equal outcomes the same call is refused. @default 20 */
  blockAt?: number;
  /** How many calls of a run are remembered. @default 30, and at least `blockAt` */
  history?: number;
  /** How many runs are remembered; those not heard of for longest are forgotten. @default 1_000 */
  maxRuns?: number;
}

/**
 * Stops a run that makes the same call (tool and arguments) with the same outcome again and again, also when two calls take turns.
 * A different outcome is progress and starts the count anew. Where no run is known, the session counts; where neither is, nothing does.
 */
export function createLoopDetection(options: LoopDetectionOptions = {}): Wrapper {
  const warnAt = requireCount("warnAt", options.warnAt ?? 10);
  const blockAt = requireCount("blockAt", options.blockAt ?? 20);
  const history = Math.max(requireCount("history", options.history ?? 30), blockAt);
  if (warnAt > blockAt) throw new ToolError("CONFIG_INVALID", `warnAt must not be above blockAt, but ${warnAt} is above ${blockAt}.`);
  const runs = createBoundedMap<Made[]>(requireCount("maxRuns", options.maxRuns ?? 1_000, 2));
  const signatures = new WeakMap<Call, string>();

  return {
    name: "loop-detection",
    beforeRun(call) {
      const run = runKey(call.caller);
      const signature = run === undefined ? undefined : signatureOf(call);
      if (run === undefined || signature === undefined) return undefined;
      const made = runs.get(run) ?? [];
      const turns = alternations(made, signature);
      const times = Math.max(repetitions(made, signature), turns);
      if (times >= blockAt) return call.fail("LOOP_DETECTED", `${describe(call, times, turns)} It was not made again. Try something else.`);
      if (times >= warnAt) call.warn(`${describe(call, times, turns)} It will be refused after ${blockAt}.`);
      signatures.set(call, signature);
      return undefined;
    },
    finish(result, call) {
      const run = runKey(call.caller);
      const signature = signatures.get(call);
      if (run === undefined || signature === undefined || (!result.ok && saysNothing.has(result.code))) return result;
      const outcome = outcomeOf(result);
      let made = runs.get(run);
      if (made === undefined) runs.set(run, (made = []));
      made.push({ signature, outcome });
      if (made.length > history) made.shift();
      return result;
    },
  };
}

/** A call that ended so says nothing about what it would have come to. */
const saysNothing: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["ABORTED", "CALL_NOT_RECORDED"]);

interface Made {
  readonly signature: string;
  /** Undefined where the result cannot be compared; it then equals no other. */
  readonly outcome: string | undefined;
}

/** How often this call had its latest outcome without another one in between. Other calls in between do not matter. */
function repetitions(made: readonly Made[], signature: string): number {
  let count = 0;
  let outcome: string | undefined;
  for (let index = made.length - 1; index >= 0; index--) {
    const entry = made[index]!;
    if (entry.signature !== signature) continue;
    if (entry.outcome === undefined || (count > 0 && entry.outcome !== outcome)) break;
    outcome = entry.outcome;
    count += 1;
  }
  return count;
}

/** How many of the last calls were this call and one other in turns, each with its one outcome; the next would go on with it. */
function alternations(made: readonly Made[], signature: string): number {
  const other = made.at(-1);
  const same = made.at(-2);
  if (other === undefined || same === undefined || other.signature === signature || same.signature !== signature) return 0;
  let count = 0;
  for (let index = made.length - 1; index >= 0; index--) {
    const entry = made[index]!;
    const expected = count % 2 === 0 ? other : same;
    if (entry.outcome === undefined || entry.signature !== expected.signature || entry.outcome !== expected.outcome) break;
    count += 1;
  }
  return count;
}

function describe(call: Call, times: number, turns: number): string {
  return times === turns
    ? `Tool "${call.tool.name}" and one other call have taken turns for ${turns} calls with the same outcomes.`
    : `Tool "${call.tool.name}" was called ${times} times with the same arguments and the same outcome.`;
}

/** Undefined for arguments that are no JSON: they cannot be compared, so they are not counted. */
function signatureOf(call: Call): string | undefined {
  try {
    return `${call.tool.name} ${contentHash(call.input)}`;
  } catch {
    return undefined;
  }
}

function outcomeOf(result: ToolResult): string | undefined {
  try {
    const parts = result.ok ? [result.content, JSON.stringify([result.data, result.blocks])] : [result.code, result.error];
    const hash = nodeCrypto().createHash("sha256");
    for (const part of parts) hash.update(part).update("\u0000");
    return hash.digest("base64");
  } catch {
    return undefined;
  }
}
