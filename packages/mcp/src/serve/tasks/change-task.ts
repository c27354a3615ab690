import { isOver, type StoredTask, type TaskStore } from "./task-store.ts";

export type TaskChange = Partial<Pick<StoredTask, "status" | "statusMessage" | "inputRequests" | "inputResponses" | "result" | "error">>;

/** Changes a task that others may be changing at the same time. Undefined: it does not exist; a finished task stays as it is. */
export async function changeTask(
  store: TaskStore,
  taskId: string,
  change: (task: StoredTask) => TaskChange | undefined,
): Promise<StoredTask | undefined> {
  for (;;) {
    const task = await store.get(taskId);
    if (task === undefined || isOver(task)) return task;
    const changes = change(task);
    if (changes === undefined) return task;
    const changed: StoredTask = { ...task, ...changes, lastUpdatedAt: new Date().toISOString(), revision: task.revision + 1 };
    if (await store.replace(changed, task.revision)) return changed;
  }
}
