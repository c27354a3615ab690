import { show } from "@toolrack/json-schema/internal";
import type { ToolResult } from "../tool/result.ts";
import type { CallState } from "./context.ts";
import { startHandler } from "./run-handler.ts";
import { cancelled } from "./until-aborted.ts";

/** Starts the handler inside its wrappers. Without wrappers, its own promise is returned, marked by `awaitsHandler`. */
export function run(call: CallState): ToolResult | Promise<ToolResult> {
  const plan = call.plan!;
  if (call.options.signal?.aborted) return cancelled(call);
  const { timeoutMs } = call;
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs >= 0))
    return call.fail("CONFIG_INVALID", notMilliseconds(timeoutMs));
  if (call.deliver !== undefined && call.deliver !== "none" && call.host.userChannel === undefined)
    return call.fail("CONFIG_INVALID", nobodyIsShown(call));
  return plan.isBare ? startHandler(call) : plan.run(call);
}

/** Refused before anything happened: a result that nobody sees would be lost. */
function nobodyIsShown({ tool }: CallState): string {
  return `The result of tool "${tool.name}" is for the user, and this registry shows nobody anything. Give createRegistry a userChannel, or call it with deliver: "model".`;
}

function notMilliseconds(timeoutMs: unknown): string {
  return `timeoutMs must be a number of milliseconds of at least 0, or false, but it is ${show(timeoutMs)}.`;
}
