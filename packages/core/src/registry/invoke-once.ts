import type { CallPlan } from "../call/call-plan.ts";
import type { CallHost, InvokeOptions } from "../call/host.ts";
import { createIdempotentCalls, keyedInput } from "../call/idempotency.ts";
import { hasMoreKeys } from "../call/input-size.ts";
import { invoke } from "../call/invoke.ts";
import type { Caller } from "../tool/context.ts";
import { failure, type ToolResult } from "../tool/result.ts";
import type { Permission } from "./permission.ts";

/** A call with a key, which runs once for all calls with that key. */
export type InvokeOnce = (name: string, input: unknown, options: InvokeOptions) => Promise<ToolResult>;

export function createInvokeOnce(host: CallHost, permission: Permission): InvokeOnce {
  const calls = createIdempotentCalls();

  async function isRefused({ tool, readInput }: CallPlan, input: unknown, caller: Caller): Promise<boolean> {
    if (permission.refusal(tool, caller) !== undefined || hasMoreKeys(input, host.inputKeys)) return true;
    if (!permission.isActive) return false;
    const read = await readInput(input ?? {});
    return read.issues === undefined && permission.decideArguments(tool, read.value, caller).outcome === "deny";
  }

  return async (name, input, options) => {
    // What would be refused by now is refused by the call itself, and no earlier answer is given again.
    const { caller = {} } = options;
    const plan = host.find(name, caller);
    if (plan === undefined || (await isRefused(plan, input, caller))) return invoke(host, name, input, options);
    const refused = (error: string): ToolResult =>
      failure("INPUT_INVALID", error, { callId: host.nextCallId(), tool: name, durationMs: 0 });
    return calls.once(name, keyedInput(plan.tool, input), options, () => invoke(host, name, input, options), refused);
  };
}
