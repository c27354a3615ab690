import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Caller, type InvokeOptions, type Logger, type Registry, ToolError } from "@toolrack/core";
import { hasMoreKeys, tooManyKeys } from "@toolrack/core/internal";
import { type BreadcrumbStore, createJobQueue, type Job, type JobQueue, type JobWorker } from "@toolrack/store";
import type { StartupConfig } from "../../config/jobs.ts";
import type { UnfinishedOptions } from "../calls/unfinished.ts";
import type { ShowInput } from "../calls/shown-input.ts";
import { hasEnded } from "../cluster/server-name.ts";
import type { ApiKeys, RunningCall } from "../rack.ts";
import { createContentSealer } from "./call-content.ts";
import type { Jobs, ShownJob } from "./jobs.ts";
import { presentCaller } from "./present-caller.ts";
import { type AwayTool, callIdOf, createCallHandler } from "./run-call.ts";
import { createStartup } from "./startup.ts";

export interface JobManager extends Jobs {
  /** For jobs of other kinds, whose changes are told as those of calls are. */
  readonly queue: JobQueue;
  /** Runs jobs from now on, also those of earlier. Call it when the tools are there. */
  begin(): Promise<void>;
  /** Looks whether there are jobs of other servers. */
  look(): Promise<void>;
}

export interface JobManagerOptions {
  readonly store: BreadcrumbStore;
  readonly sharedKey: Uint8Array;
  readonly showInput: ShowInput;
  readonly registry: Registry;
  readonly keys: Pick<ApiKeys, "list" | "wereMade">;
  readonly unfinished: UnfinishedOptions;
  readonly limits: {
    readonly inputKeys: number;
    readonly slots?: number;
    readonly slotsPerCaller?: number;
    readonly maxWaitingPerCaller?: number;
  };
  /** Tools that are called at the start. */
  readonly startup: Readonly<Record<string, StartupConfig>> | undefined;
  /** When this server started. */
  readonly startedAt: number;
  /** The present name of this server. */
  ownName(): string;
  start(tool: string, input: unknown, options: InvokeOptions): RunningCall;
  running(callId: string): RunningCall | undefined;
  /** Why the tool cannot be called now, and when it can be: its source is away. */
  awayFor(tool: string, caller: Caller): Promise<AwayTool | undefined>;
  /** The sources that are away, for a tool that is not there: one of them may have it. */
  awaySources(tool: string): readonly string[];
  /** Whether a tool goes on with what an earlier attempt had begun. */
  goesOn(tool: string): boolean;
  onStoreFailed(error: unknown): void;
  /** How long a job waits after each server that ended while running it. */
  readonly lostDelaysMs?: readonly number[];
  readonly log: Logger;
  now(): number;
}

export function createJobs(options: JobManagerOptions): JobManager {
  const { store, registry, keys, limits, ownName, now, log } = options;
  const { inputKeys, maxWaitingPerCaller, ...slots } = limits;
  const queue = createJobQueue(store, maxWaitingPerCaller === undefined ? {} : { maxWaitingPerCaller });
  const sealer = createContentSealer(options.sharedKey);
  let worker: JobWorker | undefined;
  let startupWorker: JobWorker | undefined;
  let hasBegun = false;
  let isClosing = false;

  const call = createCallHandler({
    ...options,
    sealer,
    callerNow: (caller) => presentCaller(caller, keys, now()),
    isClosing: () => isClosing,
  });
  const { onStoreFailed, lostDelaysMs } = options;
  const workOptions = { holder: ownName, hasEnded, onStoreFailed, ...(lostDelaysMs !== undefined && { lostDelaysMs }) };

  function work(): void {
    if (worker !== undefined || isClosing || !hasBegun) return;
    log.debug("This server begins to look for jobs.");
    worker = queue.work({ call }, { ...workOptions, ...slots });
  }

  queue.subscribe(({ type, job }) => {
    if (job.kind === "call" && (type === "added" || type === "replayed")) work();
  });

  function shown(job: Job): ShownJob {
    const { payload: _, caller: __, delaysMs: ___, lost: ____, ...facts } = job;
    const isCall = job.kind === "call" || job.kind === "startup";
    const content = isCall ? sealer.open(job) : undefined;
    return {
      ...facts,
      caller: content?.caller,
      input: options.showInput(content?.input),
      callId: isCall && job.attempt > 0 ? callIdOf(job.id, job.attempt) : undefined,
    };
  }

  /**
   * A tool that the caller may not use now is refused now. That it may do so later does not help: rights are those of then and now. The job of a
   * tool whose source is away waits for it.
   */
  async function requireAllowed(tool: string, caller: Caller, mayRead: boolean): Promise<string> {
    const found = registry.get(tool);
    if (found === undefined && mayRead && (await options.awayFor(tool, caller)) !== undefined) return tool;
    if (found === undefined) throw new ToolError("TOOL_NOT_FOUND", `There is no tool "${tool.slice(0, 128)}". No job was made.`);
    if (registry.view(caller).offered(found.name) === undefined)
      throw new ToolError("TOOL_NOT_ALLOWED", `${registry.explain(found.name, caller).sentences.join(" ")} No job was made.`);
    return found.name;
  }

  async function look(): Promise<void> {
    if (worker !== undefined || isClosing || !hasBegun) return;
    const open = (["waiting", "running"] as const).map((state) => queue.list({ kind: "call", state, limit: 1 }));
    if ((await Promise.all(open)).some((found) => found.length > 0)) work();
  }

  const get: Jobs["get"] = async (id) => {
    const job = await queue.get(id);
    return job && shown(job);
  };

  const jobs: JobManager = {
    queue,
    async add(call, transaction) {
      const { caller, input, key, kind = "call", origin = "call", at, timeoutMs, deliver, tries, delaysMs } = call;
      const tool = await requireAllowed(call.tool, caller, transaction === undefined);
      if (hasMoreKeys(input, inputKeys)) throw new ToolError("INPUT_INVALID", `${tooManyKeys(tool, inputKeys)} No job was made.`);
      const place = { caller: turnOf(caller), subject: tool, origin };
      const draft = {
        kind,
        ...place,
        payload: sealer.seal(
          {
            tool,
            input,
            caller,
            ...(timeoutMs !== undefined && { timeoutMs }),
            ...(deliver !== undefined && { deliver }),
          },
          place,
        ),
        ...(key !== undefined && { key }),
        ...(tries !== undefined && { tries }),
        ...(delaysMs !== undefined && { delaysMs }),
      };
      const added = await (at === undefined ? queue.enqueue(draft, transaction) : queue.schedule(draft, at, transaction));
      if (!added.ok) throw new ToolError("QUEUE_FULL", added.message);
      const first = added.isNew ? undefined : sealer.open(added.job);
      if (first !== undefined && !isDeepStrictEqual([first.tool, first.input], [tool, input]))
        throw new ToolError(
          "INPUT_INVALID",
          `The key "${key!.slice(0, 100)}" belongs to a job with another tool or other arguments. Use a new key.`,
        );
      return { job: added.job, isNew: added.isNew };
    },
    get,
    list: async (query) => (await queue.list(query)).map(shown),
    counts: () => queue.counts(),
    oldestDueAt: (kinds) => queue.oldestDueAt(kinds),
    cancel: (id) => queue.cancel(id),
    retry: (id) => queue.retry(id),
    replay: (id) => queue.replay(id),
    subscribe: (listener) => queue.subscribe(({ type, job }) => listener({ type, job, caller: () => shown(job).caller })),
    async waitFor(id, { timeoutMs, signal }) {
      const isOver = (job: ShownJob | undefined): boolean => job === undefined || job.endedAt !== undefined;
      const deadline = performance.now() + timeoutMs;
      let wake: (() => void) | undefined;
      const stop = queue.subscribe(({ job }) => void (job.id === id && wake?.()));
      const abort = (): void => wake?.();
      signal?.addEventListener("abort", abort);
      try {
        for (;;) {
          const job = await get(id);
          const leftMs = deadline - performance.now();
          if (isOver(job) || leftMs <= 0 || signal?.aborted === true) return job;
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, Math.min(leftMs, lookEveryMs));
            wake = () => (clearTimeout(timer), resolve());
          });
        }
      } finally {
        stop();
        signal?.removeEventListener("abort", abort);
      }
    },
    state: () => ({ running: worker?.running() ?? 0, isLooking: worker !== undefined }),
    startup: async () => startup?.list() ?? [],
    async begin() {
      hasBegun = true;
      if (startup !== undefined && !isClosing) {
        // These may run forever: they have slots of their own.
        startupWorker = queue.work({ startup: call }, { ...workOptions, slots: 1_000, slotsPerCaller: 1_000 });
        startup.begin();
      }
      await look();
    },
    look,
    async close(graceMs) {
      isClosing = true;
      await startup?.close();
      // What runs forever need not be waited for.
      await Promise.all([worker?.close(graceMs), startupWorker?.close(0)]);
    },
  };
  const startup = options.startup && createStartup({ ...options, tools: options.startup, jobs, inner: store });
  return jobs;
}

/** Whose turn it is: one for each identity that signed in. */
function turnOf({ tenant, principal, agent }: Caller): string {
  const text = JSON.stringify([tenant ?? null, principal ?? null, agent ?? null]);
  return text.length <= 500 ? text : createHash("sha256").update(text).digest("hex");
}

/** For jobs that other servers end. */
const lookEveryMs = 500;
