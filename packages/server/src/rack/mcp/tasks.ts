import { createHash } from "node:crypto";
import { ToolError } from "@toolrack/core";
import type { StoredTask, TaskCall, TaskStore } from "@toolrack/mcp";
import { StoreError, type Ticket, type Tickets } from "@toolrack/store";
import type { MessageSealer } from "./sealed-messages.ts";

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

export interface Tasks extends TaskStore {
  /** The servers with unfinished tasks. */
  servers(): Promise<readonly string[]>;
  find(taskId: string): Promise<HeldTask | undefined>;
  /** The unfinished tasks of a server; of many, some. */
  held(server: string): Promise<readonly HeldTask[]>;
  /** Replaces a task that is still as it was found. From then on the job works on it, or nobody. Rejects with RESULT_TOO_LARGE. */
  take(found: HeldTask, task: StoredTask, job?: string): Promise<boolean>;
  watch(taskId: string, listener: () => void): () => void;
}

export interface TasksOptions {
  readonly tickets: Tickets;
  /** This server. */
  readonly server: { readonly name: string };
  readonly sealer: MessageSealer;
  /** @default 100 */
  readonly maxPerOwner?: number | undefined;
}

/**
 * Long MCP calls as tickets: a client may query and cancel its task on any server of the store. The number for each owner is limited:
 * finished tasks are dropped, and while none is finished a further one is refused. The call of a task is sealed: only servers read it.
 */
export function createTasks({ tickets, server, sealer, maxPerOwner = 100 }: TasksOptions): Tasks {
  const toHeld = (ticket: Ticket): HeldTask => toHeldTask(bodyOf(ticket), ticket.holder, sealer);

  function sealCall(task: StoredTask, call: TaskCall | undefined): string | undefined {
    if (call === undefined) return undefined;
    const text = JSON.stringify(call);
    return text.length > maxCallLength ? undefined : sealer.seal(locationOf(task), text);
  }

  async function find(taskId: string): Promise<HeldTask | undefined> {
    const ticket = await tickets.get("task", taskId);
    return ticket && toHeld(ticket);
  }

  async function write(
    task: StoredTask,
    revision: number,
    change: { readonly holder?: string; readonly job?: string | undefined },
  ): Promise<boolean> {
    const ticket = await tickets.get("task", task.taskId);
    if (ticket === undefined || bodyOf(ticket).task.revision !== revision) return false;
    const { holder = ticket.holder } = change;
    const { job, call } = { ...bodyOf(ticket), ...change };
    const next = toTicket({ task, ...(job !== undefined && { job }), ...(call !== undefined && !isOver(task) && { call }) }, holder);
    return tickets.replace({ ...next, version: ticket.version + 1 }).catch((error: unknown) => {
      throw task.result !== undefined && StoreError.is(error) && error.code === "RECORD_TOO_LARGE" ? tooLarge(task) : error;
    });
  }

  return {
    async create(task, call) {
      const sealed = sealCall(task, call);
      const ticket = toTicket({ task, ...(sealed !== undefined && { call: sealed }) }, server.name);
      if ((await tickets.add(ticket, maxPerOwner)) !== "full") return;
      throw new ToolError("QUEUE_FULL", `You have ${maxPerOwner} tasks running already. Try again when one has ended.`);
    },
    get: async (taskId) => (await find(taskId))?.task,
    replace: (task, revision) => write(task, revision, {}),
    find,
    servers: () => tickets.holders("task"),
    held: async (holder) => (await tickets.list("task", { holder, isOpen: true })).map(toHeld),
    take: (found, task, job) => write(task, found.task.revision, { holder: "", job }),
    watch: (taskId, listener) => tickets.watch("task", taskId, 1, listener),
  };
}

function tooLarge({ tool, result }: StoredTask): ToolError {
  const bytes = Buffer.byteLength(JSON.stringify(result));
  return new ToolError(
    "RESULT_TOO_LARGE",
    `Tool "${tool}" did its work, and its result is larger than a task can be: it has ${bytes} bytes. What it did is not undone; ask it for less.`,
  );
}

export function isOver({ status }: StoredTask): boolean {
  return status !== "working" && status !== "input_required";
}

/** What is stored of a task. */
export interface TaskBody {
  readonly task: StoredTask;
  readonly job?: string | undefined;
  /** Sealed. */
  readonly call?: string;
}

export function toHeldTask({ task, job, call }: TaskBody, server: string, sealer: MessageSealer): HeldTask {
  return {
    task,
    server,
    job,
    call() {
      const text = call === undefined ? undefined : sealer.open(locationOf(task), call);
      return text === undefined ? undefined : (JSON.parse(text) as TaskCall);
    },
  };
}

/** The first version of its ticket. */
function toTicket(body: TaskBody, holder: string): Ticket {
  const { task } = body;
  const createdAt = Date.parse(task.createdAt);
  return {
    kind: "task",
    name: task.taskId,
    version: 1,
    group: createHash("sha256").update(task.owner).digest("hex"),
    holder,
    isOpen: !isOver(task),
    createdAt,
    endsAt: createdAt + task.ttlMs,
    body: JSON.stringify(body),
  };
}

function bodyOf({ body }: Ticket): TaskBody {
  return JSON.parse(body) as TaskBody;
}

function locationOf({ taskId, owner, tool }: StoredTask): string {
  return JSON.stringify(["task", taskId, owner, tool]);
}

/** The call of a longer one is not kept: no other server goes on with it. */
const maxCallLength = 262_144;
