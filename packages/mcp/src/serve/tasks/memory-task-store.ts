import { ToolError } from "@toolrack/core";
import { isOver, type StoredTask, type TaskStore } from "./task-store.ts";

export interface MemoryTaskStoreOptions {
  /** When so many tasks are kept, finished ones make room; while none is finished, further ones are refused. @default 10_000 */
  readonly maxTasks?: number;
}

/** Tasks of one process. */
export function createMemoryTaskStore({ maxTasks = 10_000 }: MemoryTaskStoreOptions = {}): TaskStore {
  const tasks = new Map<string, StoredTask>();
  const listeners = new Map<string, Set<() => void>>();

  function makeRoom(): void {
    const now = Date.now();
    for (const [id, task] of tasks) if (hasExpired(task, now)) tasks.delete(id);
    for (const [id, task] of tasks) {
      if (tasks.size < maxTasks) return;
      if (isOver(task)) tasks.delete(id);
    }
  }

  return {
    create(task) {
      if (tasks.size >= maxTasks) makeRoom();
      if (tasks.size >= maxTasks) throw new ToolError("QUEUE_FULL", `${maxTasks} tasks are running already. Try again later.`);
      tasks.set(task.taskId, task);
    },
    get(taskId) {
      const task = tasks.get(taskId);
      if (task === undefined || !hasExpired(task, Date.now())) return task;
      tasks.delete(taskId);
      return undefined;
    },
    replace(task, revision) {
      if (tasks.get(task.taskId)?.revision !== revision) return false;
      tasks.set(task.taskId, task);
      for (const listener of listeners.get(task.taskId) ?? []) listener();
      return true;
    },
    watch(taskId, listener) {
      const watching = listeners.get(taskId) ?? new Set();
      listeners.set(taskId, watching.add(listener));
      return () => {
        watching.delete(listener);
        if (watching.size === 0) listeners.delete(taskId);
      };
    },
  };
}

function hasExpired({ createdAt, ttlMs }: StoredTask, now: number): boolean {
  return Date.parse(createdAt) + ttlMs <= now;
}
