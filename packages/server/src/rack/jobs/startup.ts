import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, type Logger, ToolError } from "@toolrack/core";
import { type BreadcrumbStore, createLeases, requireHeld } from "@toolrack/store";
import type { StartupConfig } from "../../config/jobs.ts";
import type { Jobs, ShownJob, StartupTool } from "./jobs.ts";

export interface Startup {
  list(): Promise<readonly StartupTool[]>;
  /** Call it when the tools are there. */
  begin(): void;
  close(): Promise<void>;
}

export interface StartupOptions {
  readonly tools: Readonly<Record<string, StartupConfig>>;
  readonly jobs: Pick<Jobs, "add" | "list" | "waitFor">;
  /** For the server's own records. */
  readonly inner: BreadcrumbStore;
  /** When this server started. */
  readonly startedAt: number;
  readonly log: Logger;
  ownName(): string;
  /** The sources that are away, for a tool that is not there: one of them may have it. */
  awaySources(tool: string): readonly string[];
  now(): number;
  readonly times?: StartupTimes;
}

export interface StartupTimes {
  readonly leaseMs: number;
  readonly renewMs: number;
  /** Before a continuous tool is called again; doubled after each failure, up to the longest. */
  readonly shortestMs: number;
  readonly longestMs: number;
}

/**
 * Calls tools at the start, as jobs. The servers of a store elect one by a lease, which adds the jobs; any of them may run them. A tool with the
 * mode "once" is called when a server leads that started after its last call; a continuous one is called again whenever its job has ended.
 */
export function createStartup(options: StartupOptions): Startup {
  const { tools, jobs, inner, log, startedAt, ownName, now, times = defaultTimes } = options;
  const leases = createLeases(inner);
  const names = Object.keys(tools).toSorted((a, b) => priorityOf(tools[b]!) - priorityOf(tools[a]!));
  const closing = new AbortController();
  let working: Promise<void> | undefined;

  const newest = async (tool: string): Promise<ShownJob | undefined> => (await jobs.list({ origin: originOf(tool), limit: 1 }))[0];

  async function untilEnded(id: string, signal: AbortSignal): Promise<ShownJob | undefined> {
    for (;;) {
      const job = await jobs.waitFor(id, { timeoutMs: 30_000, signal });
      if (job === undefined || job.endedAt !== undefined || signal.aborted) return job;
    }
  }

  async function untilBegun(tool: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await newest(tool))?.startedAt === undefined) await pause(times.shortestMs, signal);
  }

  /** A tool that is not there may come with a source that is away. */
  async function untilThere(tool: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const away = options.awaySources(tool);
      if (away.length === 0 || signal.aborted) break;
      failed.set(tool, `There is no tool "${tool.slice(0, 128)}" yet. It is waited for while sources are away: ${away.join(", ")}.`);
      await pause(times.shortestMs, signal);
    }
    failed.delete(tool);
  }

  const add = (tool: string, transaction?: BreadcrumbStore) => {
    const { input = {}, agent = "startup", mode } = tools[tool]!;
    const caller: Caller = { agent, principal: `startup ${agent}`, roles: [] };
    return jobs.add(
      {
        tool,
        input,
        caller,
        origin: originOf(tool),
        kind: "startup",
        ...(mode === "continuous" && { timeoutMs: false }),
        tries: 5,
        delaysMs: [1_000, 10_000],
      },
      transaction,
    );
  };

  /** The job that calls it once; undefined if another server called it since this one started. */
  async function addOnce(tool: string, lease: Lease): Promise<ShownJob | { readonly id: string } | undefined> {
    return inner.transaction(async (tx) => {
      await requireHeld(tx, lease);
      const record = await tx.get(recordId);
      const ranAt = (record?.context["ranAt"] ?? {}) as Readonly<Record<string, number>>;
      if (Object.hasOwn(ranAt, tool) && ranAt[tool]! > startedAt) return undefined;
      const { job } = await add(tool, tx);
      const context = { ranAt: { ...ranAt, [tool]: now() } };
      await tx.put(
        { id: recordId, schema_name: "toolrack.startup.v1", title: "Tools that were called at the start", context },
        { replace: true },
      );
      return job;
    });
  }

  async function callOnce(tool: string, lease: Lease, signal: AbortSignal): Promise<boolean> {
    const added = (await addOnce(tool, lease)) ?? (await newest(tool));
    const ended = added && (await untilEnded(added.id, signal));
    if (ended?.state !== "dead") return ended === undefined || ended.state === "done";
    log.error("A tool that is called at the start failed, and what waits for it is not called.", { tool, job: ended.id, ...ended.error });
    return false;
  }

  async function callAlways(tool: string, signal: AbortSignal): Promise<void> {
    for (let delayMs = times.shortestMs; !signal.aborted;) {
      const last = await newest(tool);
      const job = last !== undefined && last.endedAt === undefined ? last : (await add(tool)).job;
      const ended = await untilEnded(job.id, signal);
      if (signal.aborted) return;
      if (ended?.state === "dead")
        log.warn("A continuous tool failed and is called again.", { tool, job: job.id, delayMs, ...ended.error });
      const ranMs = (ended?.endedAt ?? now()) - (ended?.startedAt ?? now());
      delayMs = ended?.state === "done" || ranMs > times.longestMs ? times.shortestMs : Math.min(times.longestMs, delayMs * 2);
      await pause(delayMs, signal);
    }
  }

  /** Calls a tool when those before it are there. Resolves with whether what waits for it may come. */
  function lead(lease: Lease, signal: AbortSignal): Promise<unknown> {
    const begun = new Map<string, Promise<boolean>>();
    const running: Promise<unknown>[] = [];
    const begin = async (tool: string): Promise<boolean> => {
      const { mode = "once", wait_for = [] } = tools[tool]!;
      const ready = await Promise.all(wait_for.map(start));
      if (mode === "disabled" || ready.includes(false)) return false;
      await untilThere(tool, signal);
      if (signal.aborted) return false;
      if (mode === "once") return callOnce(tool, lease, signal);
      running.push(callAlways(tool, signal).catch((error: unknown) => refused(tool, error)));
      await untilBegun(tool, signal);
      return true;
    };
    const start = (tool: string): Promise<boolean> => {
      const known = begun.get(tool) ?? begin(tool).catch((error: unknown) => refused(tool, error));
      begun.set(tool, known);
      return known;
    };
    return Promise.all(names.map(start)).then(() => Promise.all(running));
  }

  function refused(tool: string, error: unknown): false {
    const message = error instanceof Error ? error.message : String(error);
    if (!closing.signal.aborted) log.error("A tool cannot be called at the start.", { tool, error: message });
    if (ToolError.is(error)) failed.set(tool, message);
    return false;
  }
  const failed = new Map<string, string>();

  async function work(): Promise<void> {
    while (!closing.signal.aborted) {
      const lease = await leases.acquire("startup", ownName(), times.leaseMs).catch(() => undefined);
      if (lease !== undefined) await leadWhileHeld(lease);
      await pause(times.renewMs, closing.signal);
    }
  }

  async function leadWhileHeld(lease: Lease): Promise<void> {
    const lost = new AbortController();
    const stop = (): void => lost.abort();
    closing.signal.addEventListener("abort", stop, { once: true });
    const leading = lead(lease, lost.signal);
    let heldUntil = performance.now() + times.leaseMs;
    while (!lost.signal.aborted) {
      await pause(times.renewMs, lost.signal);
      if (lost.signal.aborted) break;
      const renewed = await leases.renew(lease, times.leaseMs).catch(() => undefined);
      if (renewed === true) heldUntil = performance.now() + times.leaseMs;
      // While the store cannot say, the lease counts for as long as it was last given.
      if (renewed === false || performance.now() >= heldUntil) stop();
    }
    closing.signal.removeEventListener("abort", stop);
    await leading.catch(() => undefined);
    await leases.release(lease).catch(() => undefined);
  }

  return {
    async list() {
      return Promise.all(
        names.map(async (tool): Promise<StartupTool> => {
          const { mode = "once" } = tools[tool]!;
          const job = await newest(tool);
          const error = failed.get(tool) ?? (job?.error && `${job.error.code}: ${job.error.message}`);
          const facts = { tool, mode, priority: priorityOf(tools[tool]!), state: job?.state ?? ("pending" as const) };
          return { ...facts, ...(job !== undefined && { job: job.id }), ...(error !== undefined && { error }) };
        }),
      );
    },
    begin() {
      if (!closing.signal.aborted) working ??= work();
    },
    async close() {
      closing.abort();
      await working;
    },
  };
}

type Lease = NonNullable<Awaited<ReturnType<ReturnType<typeof createLeases>["acquire"]>>>;

const recordId = "startup-tools";
const defaultTimes: StartupTimes = { leaseMs: 30_000, renewMs: 10_000, shortestMs: 1_000, longestMs: 300_000 };

function priorityOf({ priority = 50 }: StartupConfig): number {
  return priority;
}

function originOf(tool: string): string {
  return `startup:${tool}`;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
