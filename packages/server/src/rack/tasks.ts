import type { JsonObject } from "@toolrack/store";
import type { StoredTask, TaskStore } from "@toolrack/mcp";
import type { RecordFeed } from "./records.ts";

/** Long MCP calls as records: a client may ask any server of the store how its task is doing, and cancel it there. */
export function createTaskRecords(feed: RecordFeed): TaskStore {
  const records = feed.of("toolrack.mcp-task.v1");
  const idOf = (taskId: string): string => `mcp-task-${taskId}`;
  const ttlOf = ({ createdAt, ttlMs }: StoredTask): { readonly at: string } => ({
    at: new Date(Date.parse(createdAt) + ttlMs).toISOString(),
  });
  const toContext = (task: StoredTask): JsonObject => ({ task });

  return {
    async create(task) {
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
