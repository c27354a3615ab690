import { ToolError } from "@toolrack/core";
import type { Breadcrumb, JsonObject } from "@toolrack/store";
import type { StoredTask, TaskCall, TaskStore } from "@toolrack/mcp";
import type { RecordFeed } from "../store/records.ts";
import { createMessageSealer } from "./sealed-messages.ts";

export const taskSchema = "toolrack.mcp-task.v1";

/** A task, and who works on it. */
export interface HeldTask {
  readonly task: StoredTask;
  /** The server that runs its call; "" if none does. */
  readonly server: string;
  /** The job that goes on with it, on whichever server. */
  readonly job: string | undefined;
  /** Undefined where it was too large to be kept, was changed by somebody else than a server, or the task is over. */
  call(): TaskCall | undefined;
}

export interface TaskRecords extends TaskStore {
  /** The servers with unfinished tasks. */
  servers(): readonly string[];
  find(taskId: string): Promise<HeldTask | undefined>;
  /** The unfinished tasks of a server. */
  held(server: string): Promise<readonly HeldTask[]>;
  /** Replaces a task that is still as it was found. From then on the job works on it, or nobody. */
  take(found: HeldTask, task: StoredTask, job?: string): Promise<boolean>;
}

export interface TaskRecordsOptions {
  readonly feed: RecordFeed;
  /** This server. */
  readonly server: { readonly name: string };
  readonly sharedKey: Uint8Array;
  /** @default 100 */
  readonly maxPerOwner?: number | undefined;
}

/**
 * Long MCP calls as records: a client may query and cancel its task on any server of the store. The number for each owner is limited:
 * finished tasks are dropped, and while none is finished a further one is refused. The call of a task is sealed: only servers read it.
 */
export function createTaskRecords({ feed, server, sharedKey, maxPerOwner = 100 }: TaskRecordsOptions): TaskRecords {
  const records = feed.of(taskSchema);
  const sealer = createMessageSealer(sharedKey);
  const idOf = (taskId: string): string => `mcp-task-${taskId}`;
  const locationOf = ({ taskId, owner, tool }: StoredTask): string => JSON.stringify(["task", taskId, owner, tool]);
  const ttlOf = ({ createdAt, ttlMs }: StoredTask): { readonly at: string } => ({
    at: new Date(Date.parse(createdAt) + ttlMs).toISOString(),
  });
  const taskOf = ({ context }: Breadcrumb): StoredTask => context["task"] as unknown as StoredTask;
  const holderOf = ({ context }: Breadcrumb): string => String(context["server"] ?? "");

  function sealCall(task: StoredTask, call: TaskCall | undefined): string | undefined {
    if (call === undefined) return undefined;
    const text = JSON.stringify(call);
    return text.length > maxCallLength ? undefined : sealer.seal(locationOf(task), text);
  }

  function toHeld({ context }: Breadcrumb): HeldTask {
    const { task, server: holder, job, call } = context as unknown as TaskContext;
    return {
      task,
      server: holder ?? "",
      job,
      call() {
        const text = call === undefined ? undefined : sealer.open(locationOf(task), call);
        return text === undefined ? undefined : (JSON.parse(text) as TaskCall);
      },
    };
  }

  async function write(record: Breadcrumb, task: StoredTask, holder: string, job: string | undefined): Promise<boolean> {
    const { call } = record.context as unknown as TaskContext;
    const more = { ...(job !== undefined && { job }), ...(call !== undefined && !isOver(task) && { call }) };
    return (await records.replace(record, { task, server: holder, ...more } as unknown as JsonObject, ttlOf(task))) !== undefined;
  }

  async function fetch(taskId: string, revision: number): Promise<Breadcrumb | undefined> {
    const record = await records.fetch(idOf(taskId));
    return record !== undefined && taskOf(record).revision === revision ? record : undefined;
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

  async function find(taskId: string): Promise<HeldTask | undefined> {
    // The feed may not have delivered yet what another server wrote.
    const record = await records.fetch(idOf(taskId));
    return record && toHeld(record);
  }

  return {
    async create(task, call) {
      await makeRoomFor(task.owner);
      const sealed = sealCall(task, call);
      const context = { task, server: server.name, ...(sealed !== undefined && { call: sealed }) } as unknown as JsonObject;
      await records.create({ id: idOf(task.taskId), title: "A task of an MCP client", context, ttl: ttlOf(task) });
    },
    get: async (taskId) => (await find(taskId))?.task,
    async replace(task, revision) {
      const record = await fetch(task.taskId, revision);
      return record !== undefined && (await write(record, task, holderOf(record), toHeld(record).job));
    },
    find,
    servers: () => [...records.values()].filter((record) => !isOver(taskOf(record))).map(holderOf),
    async held(name) {
      const known = [...records.values()].filter((record) => holderOf(record) === name && !isOver(taskOf(record)));
      const found = await Promise.all(known.map((record) => find(taskOf(record).taskId)));
      return found.filter((one) => one !== undefined && one.server === name && !isOver(one.task)) as readonly HeldTask[];
    },
    async take(found, task, job) {
      const record = await fetch(task.taskId, found.task.revision);
      return record !== undefined && (await write(record, task, "", job));
    },
    watch: (taskId, listener) =>
      records.subscribe((id) => {
        if (id === idOf(taskId)) listener();
      }),
  };
}

export function isOver({ status }: StoredTask): boolean {
  return status !== "working" && status !== "input_required";
}

interface TaskContext {
  readonly task: StoredTask;
  readonly server?: string;
  readonly job?: string;
  /** Sealed. */
  readonly call?: string;
}

/** The call of a longer one is not kept: no other server goes on with it. */
const maxCallLength = 262_144;
