import type { Breadcrumb, JsonObject } from "@toolrack/store";
import type { StoredTask } from "@toolrack/mcp";
import type { RecordFeed } from "../store/records.ts";
import { type HeldTask, isOver, type TaskBody, type Tasks, toHeldTask } from "./tasks.ts";
import type { MessageSealer } from "./sealed-messages.ts";

/** What earlier versions stored tasks under. */
export const taskSchema = "toolrack.mcp-task.v1";

export interface OlderTasks extends Omit<Tasks, "create" | "servers"> {
  has(taskId: string): boolean;
  servers(): readonly string[];
}

/** Tasks that earlier versions stored as records, until they expire: servers of such a version may still run, and a back-up may hold some. */
export function readOlderTasks(feed: RecordFeed, sealer: MessageSealer): OlderTasks {
  const records = feed.of(taskSchema);
  const idOf = (taskId: string): string => `mcp-task-${taskId}`;
  const bodyOf = ({ context }: Breadcrumb): TaskBody & { readonly server?: string } => context as never;
  const holderOf = (record: Breadcrumb): string => bodyOf(record).server ?? "";
  const open = (): readonly Breadcrumb[] => [...records.values()].filter((record) => !isOver(bodyOf(record).task));

  async function find(taskId: string): Promise<HeldTask | undefined> {
    const record = await records.fetch(idOf(taskId));
    return record && toHeldTask(bodyOf(record), holderOf(record), sealer);
  }

  async function write(
    task: StoredTask,
    revision: number,
    change: { readonly holder?: string; readonly job?: string | undefined },
  ): Promise<boolean> {
    const record = await records.fetch(idOf(task.taskId));
    if (record === undefined || bodyOf(record).task.revision !== revision) return false;
    const { call, job } = { ...bodyOf(record), ...change };
    const more = { ...(job !== undefined && { job }), ...(call !== undefined && !isOver(task) && { call }) };
    const context = { task, server: change.holder ?? holderOf(record), ...more } as unknown as JsonObject;
    const at = new Date(Date.parse(task.createdAt) + task.ttlMs).toISOString();
    return (await records.replace(record, context, { at })) !== undefined;
  }

  return {
    has: (taskId) => records.get(idOf(taskId)) !== undefined,
    find,
    get: async (taskId) => (await find(taskId))?.task,
    replace: (task, revision) => write(task, revision, {}),
    take: (found, task, job) => write(task, found.task.revision, { holder: "", job }),
    servers: () => open().map(holderOf),
    async held(name) {
      const known = open().filter((record) => holderOf(record) === name);
      const found = await Promise.all(known.map((record) => find(bodyOf(record).task.taskId)));
      return found.filter((one) => one !== undefined && one.server === name && !isOver(one.task)) as readonly HeldTask[];
    },
    watch: (taskId, listener) =>
      records.subscribe((id) => {
        if (id === idOf(taskId)) listener();
      }),
  };
}
