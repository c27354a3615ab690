import { describeError } from "../describe-error.ts";
import { McpError } from "../../errors.ts";
import type { ToolDefinition } from "@toolrack/core";
import { onAbort } from "@toolrack/core/internal";
import type { CallToolResult } from "../../wire/call-result.ts";
import type { JsonObject } from "../../wire/protocol.ts";
import type { ServedCall } from "../client/served-call.ts";
import { signInEnded } from "../sign-in-ended.ts";
import { changeTask } from "./change-task.ts";
import { startTask, type TaskRun } from "./task-run.ts";
import type { TaskCall, TaskStore } from "./task-store.ts";
import { toTaskFields } from "./task-methods.ts";

/**
 * Whether calls of a tool become tasks, for clients that know them: only so ("required": other clients are refused), from the
 * start ("preferred"), when a call takes long ("when-long"), or not at all ("never").
 */
export type TaskSupport = "required" | "preferred" | "when-long" | "never";

export interface TaskSettings {
  readonly store: TaskStore;
  supportOf(tool: ToolDefinition): TaskSupport;
  /** How long a call may take before it becomes a task. */
  readonly afterMs: number;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

export type Answered =
  | "ask"
  | { readonly kind: "task"; readonly fields: JsonObject }
  | { readonly kind: "result"; readonly result: CallToolResult };

/** Answers with the result, or with a task while the call continues. `run` resolves with undefined if the client has to answer first. */
export async function serveAsTask(
  served: ServedCall,
  tool: ToolDefinition,
  settings: TaskSettings,
  call: TaskCall,
  run: () => Promise<CallToolResult | undefined>,
): Promise<Answered> {
  const { exchange } = served;
  const { store, ttlMs, pollIntervalMs } = settings;
  let starting: Promise<TaskRun> | undefined;
  let announce: (() => void) | undefined;
  let forget = (): void => {};
  const escalated = new Promise<void>((resolve) => (announce = resolve));

  async function start(): Promise<TaskRun> {
    const onCancel = (): void => exchange.cancel("The task was cancelled.");
    const task = await startTask({ store, owner: exchange.principal, tool: tool.name, call, ttlMs, pollIntervalMs, onCancel });
    served.useInputs(task);
    exchange.detach();
    const { taskId } = task.task;
    forget = onAbort(exchange.signedIn, () => {
      const statusMessage = signInEnded(exchange.signedIn);
      exchange.cancel(statusMessage);
      void changeTask(store, taskId, () => ({ status: "cancelled", statusMessage, inputRequests: {} })).catch(() => undefined);
    });
    return task;
  }
  const escalate = async (): Promise<void> => {
    starting ??= start();
    announce?.();
    await starting;
  };
  served.escalate = escalate;

  const support = settings.supportOf(tool);
  if (support === "required") await escalate();
  else if (support === "preferred") await escalate().catch(() => undefined);
  const running = run();
  // However it ends: a call that fails at once may have become a task already, which has to be told.
  const ended = running.then(
    () => undefined,
    () => undefined,
  );
  const timer = setTimeout(() => void escalate().catch(() => undefined), settings.afterMs);
  try {
    await Promise.race([ended, escalated]);
  } finally {
    clearTimeout(timer);
  }
  // A store that takes no further task leaves the call what it was: one that the client waits for.
  const task = await starting?.catch(() => undefined);
  if (task === undefined) {
    const result = await running;
    return result === undefined ? "ask" : { kind: "result", result };
  }
  void finish(task, running).finally(forget);
  return { kind: "task", fields: toTaskFields(task.task) };
}

async function finish(task: TaskRun, running: Promise<CallToolResult | undefined>): Promise<void> {
  try {
    const result = await running;
    if (result === undefined) await task.fail(new McpError("internal", "The call waits for an answer that can no longer be given."));
    else await task.complete(result);
  } catch (error) {
    const failure = error instanceof McpError ? error : new McpError("internal", describeError(error));
    await task.fail(failure).catch(() => undefined);
  }
}
