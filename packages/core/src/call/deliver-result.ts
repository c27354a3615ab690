import { toReceipt } from "../tool/deliver.ts";
import type { ToolResult, ToolSuccess } from "../tool/result.ts";
import { withCause } from "../tool/with-cause.ts";
import type { CallState } from "./context.ts";

/** Gives the result to whom it is for, and the model what it is to have. A failure always goes to the model, which can do something about it. */
export async function deliverResult(call: CallState, result: ToolResult): Promise<ToolResult> {
  const { deliver } = call;
  if (!result.ok || deliver === undefined) return result;
  if (deliver === "none") return toReceipt(result, deliver);
  const wasShown = await show(call, result);
  if (deliver === "user") return toReceipt(call.withWarnings(result), deliver, wasShown);
  return call.withWarnings(result);
}

async function show(call: CallState, result: ToolSuccess): Promise<boolean> {
  const { callId, caller, host } = call;
  try {
    await host.userChannel!.show({ callId, tool: result.meta.tool, caller, result: call.withoutSecrets(result) });
    return true;
  } catch (error) {
    host.log.error("A result could not be shown to the user.", { tool: result.meta.tool, callId, error: withCause(error) });
    call.warn("The result could not be shown to the user. The log says why.");
    return false;
  }
}
