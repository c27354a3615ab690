import { type Logger, type Registry, ToolError } from "@toolrack/core";
import { endOfTask, type StoredTask, type TaskCall, type TaskEnd, type TaskStore } from "@toolrack/mcp";
import { StoreError } from "@toolrack/store";
import { settleUnfinished, type UnfinishedOptions } from "../calls/unfinished.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { endOfJob } from "./end-of-job.ts";
import { type HeldTask, isOver, type Tasks } from "./tasks.ts";

/** The tasks of MCP clients, and what the rest of the server has to tell them. */
export interface TaskManager extends TaskStore {
  /** From now on this server goes on with tasks of others: its tools are there. */
  begin(): void;
  /** The servers with unfinished tasks. */
  servers(): Promise<readonly string[]>;
  /** Goes on with the tasks of a server that ended, or ends them. Returns how many. */
  abandon(server: string): Promise<number>;
  /** Leaves the tasks of this server to jobs as far as their calls may be repeated. Call it before running calls are cancelled. */
  handOver(): Promise<void>;
}

export interface TaskManagerOptions {
  readonly tasks: Tasks;
  readonly jobs: Pick<Jobs, "add" | "get" | "cancel" | "subscribe">;
  readonly registry: Pick<Registry, "get">;
  readonly unfinished: UnfinishedOptions;
  /** The present name of this server. */
  ownName(): string;
  onStoreFailed(error: unknown): void;
  readonly log: Logger;
}

/**
 * A task whose server ended keeps its id. If its call ended, the task has that result. If the call may be repeated, a job makes it again, on
 * whichever server, and the task ends as the job does. Every other task ends as failed, since nobody knows whether its tool did its work.
 */
export function createTaskManager(options: TaskManagerOptions): TaskManager {
  const { tasks, jobs, registry, unfinished, ownName, onStoreFailed, log } = options;
  let hasBegun = false;

  /** Resolves with the end that it has, which is another one where the result does not fit; undefined: it was changed since. */
  async function finish(found: HeldTask, ended: StoredTask): Promise<StoredTask | undefined> {
    try {
      return (await tasks.take(found, ended, found.job)) ? ended : undefined;
    } catch (error) {
      if (!ToolError.is(error) || error.code !== "RESULT_TOO_LARGE") throw error;
      const failed = endOfTask(found.task, { reason: error.message });
      return (await tasks.take(found, failed, found.job)) ? failed : undefined;
    }
  }

  const end = async (found: HeldTask, how: TaskEnd): Promise<boolean> => (await finish(found, endOfTask(found.task, how))) !== undefined;

  function mayRepeat({ task }: HeldTask): boolean {
    const { readOnly, idempotent } = registry.get(task.tool)?.metadata?.annotations ?? {};
    // What the client was asked and answered went to the handler that is gone.
    const hasAsked = Object.keys(task.inputRequests).length + Object.keys(task.inputResponses).length > 0;
    return (readOnly === true || idempotent === true) && !hasAsked;
  }

  async function addJob({ task }: HeldTask, { input, caller }: TaskCall): Promise<string | TaskEnd> {
    try {
      // Of several servers, or after a crash in between, one job is made.
      const { job } = await jobs.add({ tool: task.tool, input, caller, origin: taskOrigin, key: keyOf(task.taskId) });
      return job.id;
    } catch (error) {
      if (!ToolError.is(error) && !(StoreError.is(error) && error.code === "RECORD_TOO_LARGE")) throw error;
      return { reason: `The server that ran this task ended, and no other server can go on with it: ${error.message}` };
    }
  }

  async function goOn(found: HeldTask, call: TaskCall): Promise<boolean> {
    const { task } = found;
    const added = await addJob(found, call);
    if (typeof added !== "string") return end(found, added);
    const taken: StoredTask = {
      ...task,
      status: "working",
      statusMessage: `The server that ran this task ended. The job ${added} goes on with it.`,
      lastUpdatedAt: new Date().toISOString(),
      revision: task.revision + 1,
      runs: (task.runs ?? 1) + 1,
    };
    if (!(await tasks.take(found, taken, added))) return false;
    log.info("A job goes on with a task whose server ended.", { task: task.taskId, tool: task.tool, job: added });
    await settle(task.taskId);
    return true;
  }

  async function takeOver(found: HeldTask): Promise<boolean> {
    const call = found.call();
    if (call === undefined) return end(found, { reason: lostText });
    const { tool } = found.task;
    const outcome = await settleUnfinished({ callId: call.callId, tool, server: found.server }, unfinished);
    if (typeof outcome === "object") return end(found, { result: outcome.result, tool: registry.get(tool) });
    return mayRepeat(found) ? goOn(found, call) : end(found, { reason: lostText });
  }

  /** The task as it is now: one with a job ends when the job has ended. */
  async function settle(taskId: string): Promise<StoredTask | undefined> {
    for (;;) {
      const found = await tasks.find(taskId);
      if (found?.job === undefined || isOver(found.task)) return found?.task;
      const job = await jobs.get(found.job);
      if (job !== undefined && job.endedAt === undefined) return found.task;
      const ended = await finish(found, endOfJob(found.task, job, registry.get(found.task.tool)));
      if (ended !== undefined) return ended;
    }
  }

  jobs.subscribe(({ job }) => {
    if (job.origin === taskOrigin && job.endedAt !== undefined && job.key !== undefined) settle(taskOf(job.key)).catch(onStoreFailed);
  });

  return {
    create: (task, call) => tasks.create(task, call),
    get: settle,
    async replace(task, revision) {
      const isReplaced = await tasks.replace(task, revision);
      const job = isReplaced && task.status === "cancelled" ? (await tasks.find(task.taskId))?.job : undefined;
      if (job !== undefined) await jobs.cancel(job);
      return isReplaced;
    },
    watch: (taskId, listener) => tasks.watch(taskId, listener),
    begin: () => void (hasBegun = true),
    servers: tasks.servers,
    async abandon(server) {
      if (!hasBegun || server === "") return 0;
      let count = 0;
      // A client may change a task at the same time: then it is looked at again.
      for (let left = await tasks.held(server); left.length > 0; left = await tasks.held(server))
        for (const found of left) if (await takeOver(found)) count += 1;
      return count;
    },
    async handOver() {
      for (const found of await tasks.held(ownName())) {
        const call = mayRepeat(found) ? found.call() : undefined;
        if (call !== undefined) await goOn(found, call);
      }
    },
  };
}

const taskOrigin = "task";

function keyOf(taskId: string): string {
  return `task-${taskId}`;
}

function taskOf(key: string): string {
  return key.slice(keyOf("").length);
}

const lostText =
  "The server that ran this task ended, or was out of contact for longer than its lease. Whether the tool did its work is unknown. Check, then call again.";
