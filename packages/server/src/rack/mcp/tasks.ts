import { ToolError } from "@toolrack/core";
import type { Breadcrumb, JsonObject } from "@toolrack/store";
import type { StoredTask, TaskStore } from "@toolrack/mcp";
import type { RecordFeed } from "../store/records.ts";

export const taskSchema = "toolrack.mcp-task.v1";

export interface TaskRecords extends TaskStore {
  /** The servers with unfinished tasks. */
  servers(): readonly string[];
  /** Ends the tasks of a server that ended. Returns how many. */
  abandon(server: string): Promise<number>;
}

/**
 * Long MCP calls as records: a client may query and cancel its task on any server of the store. The number for each owner is limited:
 * finished tasks are dropped, and while none is finished a further one is refused.
 */
export function createTaskRecords(feed: RecordFeed, server: { readonly name: string }, maxPerOwner: number = 100): TaskRecords {
  const records = feed.of(taskSchema);
  const idOf = (taskId: string): string => `mcp-task-${taskId}`;
  const ttlOf = ({ createdAt, ttlMs }: StoredTask): { readonly at: string } => ({
    at: new Date(Date.parse(createdAt) + ttlMs).toISOString(),
  });
  const toContext = (task: StoredTask, holder: string): JsonObject => ({ task, server: holder });
  const taskOf = ({ context }: Breadcrumb): StoredTask => context["task"] as unknown as StoredTask;
  const holderOf = ({ context }: Breadcrumb): string => String(context["server"] ?? "");
  const isOver = ({ status }: StoredTask): boolean => status !== "working" && status !== "input_required";

  /** Its server may finish it at the same time: then it has ended, too. */
  async function fail(record: Breadcrumb): Promise<boolean> {
    const task = taskOf(record);
    const failed: StoredTask = {
      ...task,
      status: "failed",
      statusMessage: goneText,
      error: { code: internalError, message: goneText },
      inputRequests: {},
      lastUpdatedAt: new Date().toISOString(),
      revision: task.revision + 1,
    };
    return (await records.replace(record, toContext(failed, ""), ttlOf(task))) !== undefined;
  }

  async function makeRoomFor(owner: string): Promise<void> {
    const own = [...records.values()].map(taskOf).filter((task) => task.owner === owner);
    const surplus = own.length - maxPerOwner + 1;
    if (surplus <= 0) return;
    const finished = own.filter(isOver);
    if (finished.length < surplus)
      throw new ToolError("QUEUE_FULL", `You have ${maxPerOwner} tasks running already. Try again when one has ended.`);
    const oldest = finished.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).slice(0, surplus);
    for (const { taskId } of oldest) await records.remove(idOf(taskId));
  }

  return {
    async create(task) {
      await makeRoomFor(task.owner);
      await records.create({
        id: idOf(task.taskId),
        title: "A task of an MCP client",
        context: toContext(task, server.name),
        ttl: ttlOf(task),
      });
    },
    async get(taskId) {
      // The feed may not have delivered yet what another server wrote.
      const record = await records.fetch(idOf(taskId));
      return record && taskOf(record);
    },
    async replace(task, revision) {
      const record = await records.fetch(idOf(task.taskId));
      if (record === undefined || taskOf(record).revision !== revision) return false;
      return (await records.replace(record, toContext(task, holderOf(record)), ttlOf(task))) !== undefined;
    },
    servers: () => [...records.values()].filter((record) => !isOver(taskOf(record))).map(holderOf),
    async abandon(ended) {
      let count = 0;
      for (const { id } of [...records.values()].filter((record) => holderOf(record) === ended && !isOver(taskOf(record)))) {
        for (let record = await records.fetch(id); record !== undefined && !isOver(taskOf(record)); record = await records.fetch(id)) {
          if (!(await fail(record))) continue;
          count += 1;
          break;
        }
      }
      return count;
    },
    watch: (taskId, listener) =>
      records.subscribe((id) => {
        if (id === idOf(taskId)) listener();
      }),
  };
}

/** JSON-RPC's "internal error". */
const internalError = -32_603;
const goneText =
  "The server that ran this task ended, or was out of contact for longer than its lease. Whether the tool did its work is unknown. Check, then call again.";
