import { ToolError } from "@toolrack/core";
import type { JsonObject } from "@toolrack/store";
import type { StoredTask, TaskStore } from "@toolrack/mcp";
import type { RecordFeed } from "./records.ts";

/**
 * Long MCP calls as records: a client may ask any server of the store how its task is doing, and cancel it there. Of one owner only so many
 * are kept: finished ones make room, and while none is finished a further one is refused.
 */
export function createTaskRecords(feed: RecordFeed, maxPerOwner: number = 100): TaskStore {
  const records = feed.of("toolrack.mcp-task.v1");
  const idOf = (taskId: string): string => `mcp-task-${taskId}`;
  const ttlOf = ({ createdAt, ttlMs }: StoredTask): { readonly at: string } => ({
    at: new Date(Date.parse(createdAt) + ttlMs).toISOString(),
  });
  const toContext = (task: StoredTask): JsonObject => ({ task });

  async function makeRoomFor(owner: string): Promise<void> {
    const own = [...records.values()].map(({ context }) => context["task"] as unknown as StoredTask).filter((task) => task.owner === owner);
    const surplus = own.length - maxPerOwner + 1;
    if (surplus <= 0) return;
    const finished = own.filter(({ status }) => status !== "working" && status !== "input_required");
    if (finished.length < surplus)
      throw new ToolError("QUEUE_FULL", `You have ${maxPerOwner} tasks running already. Try again when one has ended.`);
    const oldest = finished.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).slice(0, surplus);
    for (const { taskId } of oldest) await records.remove(idOf(taskId));
  }

  return {
    async create(task) {
      await makeRoomFor(task.owner);
      await records.create({ id: idOf(task.taskId), title: "A task of an MCP client", context: toContext(task), ttl: ttlOf(task) });
    },
    async get(taskId) {
      // A server may be asked before the feed has brought what another one wrote.
      const record = await records.fetch(idOf(taskId));
      return record?.context["task"] as StoredTask | undefined;
    },
    async replace(task, revision) {
      const record = await records.fetch(idOf(task.taskId));
      if (record === undefined || (record.context["task"] as StoredTask).revision !== revision) return false;
      return (await records.replace(record, toContext(task), ttlOf(task))) !== undefined;
    },
    watch: (taskId, listener) =>
      records.subscribe((id) => {
        if (id === idOf(taskId)) listener();
      }),
  };
}
