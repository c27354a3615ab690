import { randomBytes } from "node:crypto";
import { McpError } from "../../errors.ts";
import type { CallToolResult } from "../../wire/call-result.ts";
import type { JsonObject } from "../../wire/protocol.ts";
import type { InputRequests } from "../client/client.ts";
import type { InputSource } from "../client/inputs.ts";
import { changeTask, type TaskChange } from "./change-task.ts";
import { isOver, type StoredTask, type TaskCall, type TaskStore } from "./task-store.ts";

export interface TaskRunOptions {
  readonly store: TaskStore;
  readonly owner: string;
  readonly tool: string;
  readonly call: TaskCall;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** Called when the task is cancelled, or something else goes on with it. */
  readonly onCancel: () => void;
}

/** The side of a task that does the work: it asks its questions, and ends it. */
export interface TaskRun extends InputSource {
  /** The task as it was created. */
  readonly task: StoredTask;
  complete(result: CallToolResult): Promise<void>;
  fail(error: McpError): Promise<void>;
}

/** The task is stored when this resolves, so a client can request it at once. */
export async function startTask(options: TaskRunOptions): Promise<TaskRun> {
  const { store, onCancel } = options;
  const task = newTask(options);
  const { taskId } = task;
  await store.create(task, options.call);
  const waiting = new Set<Waiting>();
  const stopWatching = watchTask(store, task, () => void look());
  let again: NodeJS.Timeout | undefined;
  let isOverHere = false;

  async function look(): Promise<void> {
    let now: StoredTask | undefined;
    try {
      now = await store.get(taskId);
    } catch {
      // A store that cannot be read for a while must not hide what changed meanwhile.
      if (!isOverHere) again ??= setTimeout(lookAgain, task.pollIntervalMs).unref();
      return;
    }
    if (isOverHere) return;
    if (now === undefined || now.status === "cancelled" || !isFirstRun(now)) {
      end();
      onCancel();
      for (const { refuse } of waiting) refuse(new McpError("internal", "The task was cancelled."));
    } else {
      if (isOver(now)) end();
      for (const wait of waiting) if (wait.keys.every((key) => Object.hasOwn(now.inputResponses, key))) wait.answer(now.inputResponses);
    }
  }

  function lookAgain(): void {
    again = undefined;
    void look();
  }

  function end(): void {
    isOverHere = true;
    clearTimeout(again);
    stopWatching();
  }

  /** What the tool did is told also where the store is away at that moment: as long as the task is there, it is tried again. */
  async function settle(change: TaskChange): Promise<void> {
    end();
    const over = { ...change, inputRequests: {}, inputResponses: {} };
    const expiresAt = Date.parse(task.createdAt) + task.ttlMs;
    for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 5_000)) {
      try {
        return void (await changeTask(store, taskId, (now) => (isFirstRun(now) ? over : undefined)));
      } catch (error) {
        if ((error as { readonly retryable?: unknown } | undefined)?.retryable !== true || Date.now() >= expiresAt) throw error;
      }
      await new Promise<void>((resolve) => setTimeout(resolve, waitMs).unref());
    }
  }

  return {
    task,
    async answers(requests: InputRequests) {
      const answered = new Promise<Readonly<JsonObject>>((answer, refuse) => waiting.add({ keys: Object.keys(requests), answer, refuse }));
      await changeTask(store, taskId, (now) =>
        isFirstRun(now) ? { status: "input_required", inputRequests: { ...now.inputRequests, ...requests } } : undefined,
      );
      return answered;
    },
    complete: (result) => settle({ status: "completed", result: { ...result } }),
    fail: ({ code, message, data }) => settle({ status: "failed", error: { code, message, ...(data !== undefined && { data }) } }),
  };
}

function isFirstRun({ runs = 1 }: StoredTask): boolean {
  return runs === 1;
}

interface Waiting {
  readonly keys: readonly string[];
  answer(answers: Readonly<JsonObject>): void;
  refuse(error: Error): void;
}

function newTask({ owner, tool, ttlMs, pollIntervalMs }: TaskRunOptions): StoredTask {
  const now = new Date().toISOString();
  return {
    taskId: randomBytes(24).toString("base64url"),
    owner,
    tool,
    status: "working",
    createdAt: now,
    lastUpdatedAt: now,
    ttlMs,
    pollIntervalMs,
    inputRequests: {},
    inputResponses: {},
    revision: 1,
  };
}

/** Uses the store's notifications if it has any, else polls. Stops when the task is over or removed. */
function watchTask(store: TaskStore, { taskId, pollIntervalMs }: StoredTask, changed: () => void): () => void {
  if (store.watch !== undefined) return store.watch(taskId, changed);
  const timer = setInterval(changed, pollIntervalMs).unref();
  return () => clearInterval(timer);
}
