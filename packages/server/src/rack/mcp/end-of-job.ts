import { type ErrorCode, errorCodes, type ToolDefinition, type ToolResult } from "@toolrack/core";
import { endOfTask, type StoredTask } from "@toolrack/mcp";
import type { ShownJob } from "../jobs/jobs.ts";

/** A task as it is after the job that went on with it has ended, or is not there any more. */
export function endOfJob(task: StoredTask, job: ShownJob | undefined, tool: ToolDefinition | undefined): StoredTask {
  if (job === undefined)
    return endOfTask(task, {
      reason: "The job that went on with this task is not kept any more. Whether the tool did its work is unknown. Check, then call again.",
    });
  if (job.state === "cancelled") return { ...endOfTask(task, { reason: cancelledText }), status: "cancelled" };
  if (job.state === "done") return endOfTask(task, { result: job.result as unknown as ToolResult, tool });
  const { code, message } = job.error ?? { code: "", message: "The job that went on with this task died." };
  if (!isOfTool(code)) return endOfTask(task, { reason: message });
  const meta = { callId: job.callId ?? job.id, tool: task.tool, durationMs: 0 };
  const { status } = errorCodes[code];
  return endOfTask(task, { result: { ok: false, error: message, code, status, retryable: false, meta }, tool });
}

/** Whether the call itself failed. Everything else is a failure outside of the tool. */
function isOfTool(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code) && !outside.has(code);
}

const outside: ReadonlySet<string> = new Set(["OUTCOME_UNKNOWN", "SIGN_IN_ENDED", "STATE_INVALID", "SERVER_LOST"]);
const cancelledText = "The job that went on with this task was cancelled.";
