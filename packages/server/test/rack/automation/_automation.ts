import { type Caller, codeSource, createRegistry, defineTool, type Registry, ToolError } from "@toolrack/core";
import { createFakeClock, type FakeClock } from "@toolrack/core/testing";
import type { IsOwnAddress, Resolve } from "@toolrack/fetch";
import {
  type BreadcrumbStore,
  createCallLog,
  createJobQueue,
  createKeys,
  createSecrets,
  type Job,
  type JobOutcome,
  type JobQueue,
} from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import type { AuditedAction } from "../../../src/rack/audit/audit.ts";
import type { CallJobs, SeenJob } from "../../../src/rack/automation/call-jobs.ts";
import { type AutomationManager, openAutomation } from "../../../src/rack/automation/open-automation.ts";
import { createCallFeed } from "../../../src/rack/calls/call-feed.ts";
import { createShowInput } from "../../../src/rack/calls/shown-input.ts";
import { createMessageSealer } from "../../../src/rack/mcp/sealed-messages.ts";
import { createUserChannel } from "../../../src/rack/calls/user-channel.ts";
import { createSchedules, type ScheduleManager } from "../../../src/rack/automation/schedules/create-schedules.ts";
import type { ApiKey } from "../../../src/rack/rack.ts";
import { serverActor } from "../../../src/rack/store/open-store.ts";
import { followRecords, type RecordFeed } from "../../../src/rack/store/records.ts";

/** What all servers of a test share. */
export const sharedKey: Buffer = Buffer.alloc(32, 5);
export const nothing = (): void => undefined;
export const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
export const owner: Caller = { agent: "owner", principal: "owner", owner: true, roles: ["admin", "curator", "owner"] };
export const anna: Caller = { agent: "anna", principal: "key anna", roles: ["curator"] };
export const stranger: Caller = { agent: "bot", principal: "key bot", roles: [] };

/** Jobs whose calls are in their payload as they are. */
export function callJobsOf(queue: JobQueue): CallJobs {
  const seen = (job: Job): SeenJob => ({ ...job, caller: (job.payload as { readonly caller?: Caller }).caller });
  return {
    async add({ tool, input, caller, origin = "call", key = "", at }, transaction) {
      const draft = { kind: "call", caller: caller.principal ?? "", subject: tool, payload: { tool, input, caller } as never, key, origin };
      const added = await (at === undefined ? queue.enqueue(draft, transaction) : queue.schedule(draft, at, transaction));
      if (!added.ok) throw new ToolError("QUEUE_FULL", added.message);
      return added;
    },
    async get(id) {
      const job = await queue.get(id);
      return job && seen(job);
    },
    list: async (query) => (await queue.list(query)).map(seen),
    cancel: (id) => queue.cancel(id),
  };
}

export interface Server {
  readonly feed: RecordFeed;
  readonly schedules: ScheduleManager;
  readonly queue: JobQueue;
  readonly clock: FakeClock & { wall: number };
  readonly actions: AuditedAction[];
  /** Why no job is taken. */
  refusal?: string;
  jobs(): Promise<readonly Job[]>;
}

/** One server's part of automation over a store, with a clock that a test moves. `keys` are those that are valid. */
export async function openSchedules(
  store: BreadcrumbStore,
  { start = Date.parse("2026-01-01T00:00:00Z"), keys = ["anna", "bot"] }: { readonly start?: number; keys?: string[] } = {},
): Promise<Server> {
  const inner = store.as(serverActor);
  const feed = await followRecords(inner, nothing);
  const fake = createFakeClock(start);
  const clock = Object.assign(fake, { wall: 0 });
  const queue = createJobQueue(inner);
  const actions: AuditedAction[] = [];
  const listed = async (): Promise<readonly ApiKey[]> =>
    keys.map((agent) => ({ id: agent, agent, roles: agent === "anna" ? ["curator"] : [], createdAt: 0, createdBy: "owner" }));
  const schedules = createSchedules({
    feed,
    inner,
    sealer: createMessageSealer(sharedKey),
    showInput: createShowInput({}),
    jobs: async () => (server.refusal === undefined ? callJobsOf(queue) : refusing(callJobsOf(queue), server.refusal)),
    keys: { list: listed, wereMade: () => true },
    toolFault: (tool) => (tool === "missing" ? 'There is no tool "missing".' : undefined),
    inputFault: () => undefined,
    audit: async (action) => void actions.push(action),
    log,
    clock,
    now: () => clock.now() + clock.wall,
  });
  afterThisTest(async () => {
    await schedules.close();
    await feed.close();
  });
  const server: Server = { feed, schedules, queue, clock, actions, jobs: async () => (await queue.list({ limit: 1_000 })).toReversed() };
  return server;
}

function refusing(jobs: CallJobs, reason: string): CallJobs {
  return { ...jobs, add: () => Promise.reject(new ToolError("TOOL_NOT_FOUND", reason)) };
}

export interface Whole {
  readonly automation: AutomationManager;
  readonly registry: Registry;
  readonly store: BreadcrumbStore;
  readonly queue: JobQueue;
  readonly clock: FakeClock;
  readonly actions: AuditedAction[];
  readonly warnings: string[];
  readonly errors: string[];
  /** Makes the jobs that wait run. */
  readonly ran: { readonly tool: string; readonly input: unknown; readonly caller: Caller }[];
  jobs(): Promise<readonly Job[]>;
  close(): Promise<void>;
}

/** Everything of automation over a store, with its own queue. Calls run as soon as they are due. */
export async function openWhole(
  store: BreadcrumbStore,
  clock: FakeClock,
  {
    allowHosts = [],
    resolve,
    isOwnAddress = () => false,
    runs = true,
    timeoutMs,
    maxWaitingPerCaller = 1_000,
    keys = [{ id: "anna", agent: "anna", roles: ["curator"], createdAt: 0, createdBy: "owner" }],
  }: {
    readonly allowHosts?: readonly string[];
    readonly resolve?: Resolve;
    readonly isOwnAddress?: IsOwnAddress;
    readonly runs?: boolean;
    readonly timeoutMs?: number;
    readonly maxWaitingPerCaller?: number;
    readonly keys?: readonly ApiKey[];
  } = {},
): Promise<Whole> {
  const inner = store.as(serverActor);
  const feed = await followRecords(inner, nothing);
  const secrets = await createSecrets(store, { keys: createKeys({ current: Buffer.alloc(32, 7) }) });
  const calls = createCallLog(store);
  const registry = createRegistry({ recorder: calls, userChannel: createUserChannel(calls) });
  await registry.addSource(codeSource("tools", [note, echo]));
  const callFeed = createCallFeed({ calls, registry, lookEveryMs: 20 });
  const queue = createJobQueue(inner, { maxWaitingPerCaller });
  const actions: AuditedAction[] = [];
  const warnings: string[] = [];
  const errors: string[] = [];
  const ran: Whole["ran"][number][] = [];
  const automation = openAutomation({
    store,
    inner,
    sharedKey,
    showInput: createShowInput({}),
    feed,
    secrets,
    registry,
    away: { learn: async () => undefined, has: () => false },
    keys: { list: async () => keys, wereMade: () => true },
    queue,
    callJobs: () => callJobsOf(queue),
    callFeed: () => callFeed,
    worker: { holder: () => "here" },
    file: "toolrack.config.yaml",
    allowHosts,
    isOwnAddress,
    ...(resolve && { resolve }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    audit: async (action) => void actions.push(action),
    log: { ...log, warn: (text: string) => void warnings.push(text), error: (text: string) => void errors.push(text) },
    clock,
    onStoreFailed: nothing,
    now: () => clock.now(),
  });
  const worker = runs
    ? queue.work(
        {
          call: async ({ job }): Promise<JobOutcome> => {
            const call = job.payload as unknown as Whole["ran"][number];
            ran.push(call);
            const result = await registry.invoke(call.tool, call.input, { caller: call.caller });
            return result.ok ? { done: {} } : { dead: { code: result.code, message: result.error } };
          },
        },
        { holder: () => "here", pollMs: 20 },
      )
    : undefined;
  const close = async (): Promise<void> => {
    await automation.close();
    await worker?.close(0);
    callFeed.close();
    await registry.close();
    await feed.close();
    await secrets.close();
  };
  afterThisTest(close);
  return {
    automation,
    registry,
    store,
    queue,
    clock,
    actions,
    warnings,
    errors,
    ran,
    jobs: async () => (await queue.list({ limit: 1_000 })).toReversed(),
    close,
  };
}

const note = defineTool({
  name: "note",
  description: "Notes a title.",
  inputSchema: {
    type: "object",
    properties: { title: { type: "string" }, from: { type: "string" } },
    required: ["title"],
    additionalProperties: false,
  },
  handler: ({ title }) => ({ noted: title }),
});
const echo = defineTool({ name: "echo", description: "Returns its input.", inputSchema: { type: "object" }, handler: (input) => input });
