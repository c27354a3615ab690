import { ToolError } from "@toolrack/core";
import { isOver, type StoredTask, type TaskStore } from "./task-store.ts";

export interface MemoryTaskStoreOptions {
  /** The maximum number of stored tasks. The oldest finished one is dropped for a new one; if none is finished, the new one is refused. @default 10_000 */
  readonly maxTasks?: number;
  /** The same for the tasks of one owner. @default 100 */
  readonly maxTasksPerOwner?: number;
}

/** Tasks in the memory of this process. */
export function createMemoryTaskStore({ maxTasks = 10_000, maxTasksPerOwner = 100 }: MemoryTaskStoreOptions = {}): TaskStore {
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

  /** Finished tasks of an owner make room for its next one. */
  function makeRoomFor(owner: string): void {
    const own = [...tasks.values()].filter((task) => task.owner === owner);
    let surplus = own.length - maxTasksPerOwner + 1;
    for (const task of own) if (surplus > 0 && isOver(task) && tasks.delete(task.taskId)) surplus--;
    if (surplus > 0) throw new ToolError("QUEUE_FULL", `You have ${maxTasksPerOwner} tasks running already. Try again when one has ended.`);
  }

  return {
    create(task) {
      makeRoomFor(task.owner);
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
