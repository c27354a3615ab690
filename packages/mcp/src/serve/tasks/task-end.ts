import type { ToolDefinition, ToolResult } from "@toolrack/core";
import { rpcErrors } from "../../errors.ts";
import { toCallResult } from "../../wire/call-result.ts";
import type { StoredTask } from "./task-store.ts";

/** How the work behind a task ended: with the result of its tool, or for a reason outside of the tool. */
export type TaskEnd = { readonly result: ToolResult; readonly tool: ToolDefinition | undefined } | { readonly reason: string };

/** The task as it is after its end, for a store that ends tasks of servers that are gone. */
export function endOfTask(task: StoredTask, end: TaskEnd): StoredTask {
  const ended = { ...task, inputRequests: {}, inputResponses: {}, lastUpdatedAt: new Date().toISOString(), revision: task.revision + 1 };
  if ("result" in end) {
    const { statusMessage: _, ...rest } = ended;
    return { ...rest, status: "completed", result: { ...toCallResult(end.result, end.tool, "modern") } };
  }
  return { ...ended, status: "failed", statusMessage: end.reason, error: { code: rpcErrors.internal.code, message: end.reason } };
}
