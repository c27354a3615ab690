import type { ToolResult } from "../../../tool/result.ts";
import { registeredNameOf } from "../../../tool/registered.ts";
import type { ToolDefinition } from "../../../tool/tool.ts";
import type { Call, Run, Wrapper } from "../../wrapper.ts";
import { abortedFailure, isReady } from "../_shared.ts";
import { requireCount } from "../../require-number.ts";

export interface ConcurrencyOptions {
  /** How many calls of one tool run at once, unless the tool sets `limits.concurrency`. @default no limit */
  limit?: number;
  /** How many calls of one tool may wait; further ones fail with QUEUE_FULL. @default 1_000 */
  maxWaiting?: number;
}

/** Limits how many calls of one tool run at once; the others wait and start in order. */
export function createConcurrency(options: ConcurrencyOptions = {}): Wrapper {
  const common = options.limit === undefined ? undefined : requireCount("limit", options.limit);
  const maxWaiting = requireCount("maxWaiting", options.maxWaiting ?? 1_000, 0);
  const lanes = new Map<string, Lane>();

  const limitOf = (tool: ToolDefinition): number | undefined => {
    const own = tool.metadata?.limits?.concurrency;
    return own === undefined ? common : Math.max(1, own);
  };

  const leave = (lane: Lane): void => {
    lane.running -= 1;
    while (lane.first !== undefined && lane.running < lane.first.limit) {
      const { first } = lane;
      remove(lane, first);
      lane.running += 1; // the place is handed over at once, so that no newcomer can take it
      first.enter();
    }
    if (lane.running === 0) lanes.delete(lane.tool);
  };

  /** Runs a call that has a slot, and releases the slot. */
  const start = (lane: Lane, call: Call, next: Run): ToolResult | Promise<ToolResult> => {
    const result = next(call);
    if (!isReady(result)) return result.finally(() => leave(lane));
    leave(lane);
    return result;
  };

  const wait = async (lane: Lane, limit: number, call: Call, next: Run): Promise<ToolResult> => {
    const entered = await queue(lane, limit, call.signal);
    if (entered && !call.signal.aborted) return start(lane, call, next);
    if (entered) leave(lane);
    return abortedFailure(call, "while it waited for its turn");
  };

  return {
    name: "concurrency",
    appliesTo: (tool) => limitOf(tool) !== undefined,
    run: (next) => (call) => {
      const limit = limitOf(call.tool);
      if (limit === undefined) return next(call);
      const lane = laneOf(lanes, registeredNameOf(call.tool));
      if (lane.running < limit && lane.first === undefined) {
        lane.running += 1;
        return start(lane, call, next);
      }
      if (lane.waiting < maxWaiting) return wait(lane, limit, call, next);
      const error = `Tool "${call.tool.name}" runs ${lane.running} calls and ${lane.waiting} wait already. Call it again later.`;
      return call.fail("QUEUE_FULL", error, { retryable: true });
    },
  };
}

/** The calls of one tool. The waiting ones are a linked list: the first starts next, and an aborted one is removed at constant cost. */
interface Lane {
  readonly tool: string;
  running: number;
  waiting: number;
  first: Waiter | undefined;
  last: Waiter | undefined;
}

interface Waiter {
  readonly limit: number;
  enter(): void;
  before: Waiter | undefined;
  after: Waiter | undefined;
}

function laneOf(lanes: Map<string, Lane>, tool: string): Lane {
  let lane = lanes.get(tool);
  if (lane === undefined) lanes.set(tool, (lane = { tool, running: 0, waiting: 0, first: undefined, last: undefined }));
  return lane;
}

/** True when the call got a slot; false if it was aborted first. */
function queue(lane: Lane, limit: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const giveUp = (): void => {
      remove(lane, waiter);
      resolve(false);
    };
    const enter = (): void => {
      signal.removeEventListener("abort", giveUp);
      resolve(true);
    };
    const waiter: Waiter = { limit, enter, before: lane.last, after: undefined };
    signal.addEventListener("abort", giveUp, { once: true });
    if (lane.last === undefined) lane.first = waiter;
    else lane.last.after = waiter;
    lane.last = waiter;
    lane.waiting += 1;
  });
}

function remove(lane: Lane, waiter: Waiter): void {
  if (waiter.before === undefined) lane.first = waiter.after;
  else waiter.before.after = waiter.after;
  if (waiter.after === undefined) lane.last = waiter.before;
  else waiter.after.before = waiter.before;
  lane.waiting -= 1;
}
