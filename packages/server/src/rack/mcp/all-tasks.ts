import type { OlderTasks } from "./older-tasks.ts";
import type { Tasks } from "./tasks.ts";

/** Tasks, and beside them those that earlier versions stored. New ones are always tickets. */
export function withOlderTasks(tasks: Tasks, older: OlderTasks): Tasks {
  /** What stores the task: an earlier version gave no id to a ticket. */
  const of = (taskId: string): Tasks | OlderTasks => (older.has(taskId) ? older : tasks);
  return {
    create: (task, call) => tasks.create(task, call),
    get: (taskId) => of(taskId).get(taskId),
    replace: (task, revision) => of(task.taskId).replace(task, revision),
    find: (taskId) => of(taskId).find(taskId),
    take: (found, task, job) => of(task.taskId).take(found, task, job),
    watch: (taskId, listener) => of(taskId).watch(taskId, listener),
    servers: async () => [...(await tasks.servers()), ...older.servers()],
    held: async (server) => [...(await tasks.held(server)), ...(await older.held(server))],
  };
}
