import { sha256Hex } from "#platform";
import type { ErrorCode } from "../../../errors.ts";
import type { ToolResult } from "../../../tool/result.ts";
import { contentHash } from "../../../util/hash.ts";
import type { Call, Wrapper } from "../../wrapper.ts";
import { createBoundedMap } from "./_bounded-map.ts";
import { runKey } from "../_shared.ts";
import { type LoopDetectionOptions, readLoopOptions } from "../../loop-options.ts";

/**
 * Stops a run that repeats the same call (tool and arguments) with the same result, also when two calls alternate.
 * A different result is progress and resets the count. Without a run, the session counts; without either, nothing is counted.
 */
export function createLoopDetection(options: LoopDetectionOptions = {}): Wrapper {
  const { warnAt, blockAt, history, maxRuns } = readLoopOptions(options);
  const runs = createBoundedMap<Made[]>(maxRuns);
  const counted = new WeakMap<Call, { readonly run: string; readonly signature: string }>();

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
      counted.set(call, { run, signature });
      return undefined;
    },
    finish(result, call) {
      const repeated = counted.get(call);
      if (repeated === undefined || (!result.ok && saysNothing.has(result.code))) return result;
      const { run, signature } = repeated;
      let made = runs.get(run);
      if (made === undefined) runs.set(run, (made = []));
      made.push({ signature, outcome: outcomeOf(result) });
      if (made.length > history) made.shift();
      return result;
    },
  };
}

/** Failures that say nothing about the result that the call would have had. */
const saysNothing: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["ABORTED", "CALL_NOT_RECORDED"]);

interface Made {
  readonly signature: string;
  /** Undefined if the result cannot be compared; it then equals no other. */
  readonly outcome: string | undefined;
}

/** How often in a row this call had its latest result. Other calls in between do not matter. */
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

/** How many of the last calls were this call and one other, alternating, each with one result; the next would continue that. */
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

/** Undefined for arguments that are not JSON: they cannot be compared, so they are not counted. */
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
    return sha256Hex(parts.map((part) => `${part}\u0000`).join(""));
  } catch {
    return undefined;
  }
}
