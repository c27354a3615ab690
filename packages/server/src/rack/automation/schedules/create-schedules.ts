import { createHash, randomUUID } from "node:crypto";
import { type Caller, type Logger, ToolError } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import { type Breadcrumb, type BreadcrumbStore, type JsonObject, StoreError } from "@toolrack/store";
import type { WriteAudit } from "../../audit/audit.ts";
import { agentOf, type Author } from "../../audit/author.ts";
import type { ApiKeys } from "../../rack.ts";
import type { RecordFeed } from "../../store/records.ts";
import { type CallJobs, depthOf, isOpen, runOf } from "../call-jobs.ts";
import { type Maker, makerOf, presentMaker } from "../maker.ts";
import { dueNow, jitterOf } from "./due.ts";
import type { NewSchedule, ScheduleDetails, ScheduleInfo, ScheduleRun, Schedules, ScheduleState } from "./schedules.ts";
import { readSpec, type ScheduleSpec } from "./spec.ts";
import type { Times } from "./times.ts";

export interface ScheduleManager extends Schedules {
  /** Takes over the schedules of the configuration file: new and changed ones are written, others of a file are removed. */
  useFile(configured: readonly ConfiguredSchedule[]): Promise<void>;
  /** From now on, due times run here. */
  begin(): void;
  close(): Promise<void>;
}

export interface ConfiguredSchedule {
  readonly id: string;
  /** Where it stands: "toolrack.config.yaml:12". */
  readonly origin: string;
  readonly spec: unknown;
  /** The agent that it runs as. */
  readonly agent: string;
}

export interface SchedulesOptions {
  readonly feed: RecordFeed;
  /** The store of the server's own records. */
  readonly inner: BreadcrumbStore;
  /** Opened with the first schedule that is due. */
  readonly jobs: () => Promise<CallJobs>;
  readonly keys: Pick<ApiKeys, "list">;
  /** Why this tool cannot be called by this caller; undefined if it can. */
  readonly toolFault: (tool: string, caller: Caller) => string | undefined;
  readonly audit: WriteAudit;
  readonly log: Logger;
  readonly clock: Pick<Clock, "after">;
  /** The time of the clock on the wall, which may go back. */
  now(): number;
}

export const scheduleSchema = "agent.schedule.v1";

/** Of one maker, of all makers, of one maker that wait for approval. */
const limits = { perMaker: 100, total: 1_000, waiting: 20 } as const;
/** Schedules that runs of schedules make. */
const deepest = 1;
/** A clock on the wall is looked at at least so often, because it may jump. */
const longestWaitMs = 1_000;
/** A schedule that last ran so far in the future was run by a clock that went back since. */
const jumpMs = 60_000;

/** What is stored. */
interface Stored {
  readonly id: string;
  readonly spec: ScheduleSpec;
  readonly maker: Maker;
  readonly depth: number;
  readonly by: string;
  readonly madeAt: number;
  readonly origin: string;
  readonly state: ScheduleState;
  readonly reason?: string;
  readonly nextAt?: number;
  /** When its latest due time was taken. */
  readonly takenAt?: number;
  readonly last?: ScheduleRun;
}

/**
 * Schedules, as records. No timer belongs to one: each server looks which are due, and the one whose write of the next time comes first adds the
 * job, in the same transaction. So several servers run each time once, and a restart neither repeats one nor loses it.
 */
export function createSchedules(options: SchedulesOptions): ScheduleManager {
  const { inner, log, audit, now } = options;
  const records = options.feed.of(scheduleSchema);
  const known = new Map<string, { readonly digest: string; readonly times: Times }>();
  let hasBegun = false;
  let isClosed = false;
  let cancelTimer: (() => void) | undefined;
  let looking: Promise<void> | undefined;

  const storedOf = (id: string): Stored | undefined => {
    const record = records.get(recordId(id));
    return record && contentOf(record);
  };

  async function timesOf(stored: Pick<Stored, "id" | "spec" | "madeAt">): Promise<Times> {
    const digest = JSON.stringify([stored.spec, stored.madeAt]);
    const kept = known.get(stored.id);
    if (kept?.digest === digest) return kept.times;
    const module = await import("./times.ts");
    const times = module.timesOf(stored.id, stored.spec, stored.madeAt);
    known.set(stored.id, { digest, times });
    return times;
  }

  async function detailsOf(stored: Stored): Promise<ScheduleDetails> {
    const { nextTimes } = await import("./times.ts");
    const { nextAt } = stored;
    const next = nextAt === undefined ? [] : nextTimes(await timesOf(stored), nextAt - 1, 5);
    return { ...infoOf(stored), next };
  }

  /** Writes exactly over the version that was read, with what `beside` adds. False if somebody else was faster. */
  async function write(before: Breadcrumb, next: Stored, beside?: (tx: BreadcrumbStore) => Promise<Stored>): Promise<boolean> {
    try {
      await inner.transaction(async (tx) => {
        const content = beside === undefined ? next : await beside(tx);
        const written = await tx.put({ ...draftOf(content), version: before.version });
        if (!written.ok) throw new Conflict();
      });
    } catch (error) {
      if (error instanceof Conflict) {
        await records.fetch(before.id);
        return false;
      }
      throw error;
    }
    await records.fetch(before.id);
    return true;
  }

  /** Changes one, again and again until nobody was faster. */
  async function change(
    id: string,
    by: Author,
    kind: string,
    next: (stored: Stored) => Stored | Promise<Stored>,
  ): Promise<ScheduleDetails | undefined> {
    for (;;) {
      const before = await records.fetch(recordId(id));
      if (before === undefined) return undefined;
      const content = await next(contentOf(before));
      if (!(await write(before, content))) continue;
      await audit({ kind, subject: id, by, body: { state: content.state, tool: content.spec.tool } });
      arm();
      return detailsOf(content);
    }
  }

  async function started(stored: Stored): Promise<Stored> {
    const times = await timesOf(stored);
    const { reason: _, nextAt: __, ...rest } = stored;
    const nextAt = times.after(now());
    return nextAt === undefined ? { ...rest, state: "ended" } : { ...rest, state: "active", nextAt };
  }

  /** Runs what is due of one schedule, unless another server does. */
  async function take(record: Breadcrumb): Promise<void> {
    const stored = contentOf(record);
    const { id, spec, nextAt, takenAt } = stored;
    const time = now();
    const times = await timesOf(stored);
    if (takenAt !== undefined && takenAt > time + jumpMs) {
      const sooner = times.after(time);
      // The clock went back. Times that have run already have their jobs, and are not added again.
      if (sooner !== undefined && nextAt !== undefined && sooner < nextAt) await write(record, { ...stored, nextAt: sooner, takenAt: time });
      return;
    }
    if (nextAt === undefined || nextAt > time) return;
    const maker = await presentMaker(stored.maker, options.keys, time);
    if (typeof maker === "string") {
      const { nextAt: _, ...rest } = stored;
      if (!(await write(record, { ...rest, state: "paused", reason: maker }))) return;
      log.warn("A schedule is paused.", { schedule: id, reason: maker });
      await audit({ kind: "schedule-paused", subject: id, by: "server", body: { reason: maker } });
      return;
    }
    const { run, missed, next } = dueNow(spec, times, nextAt, time);
    const jobs = await options.jobs();
    const before = stored.last?.job === undefined ? undefined : await jobs.get(stored.last.job);
    const overlaps = isOpen(before);
    const { nextAt: _, ...rest } = stored;
    const base: Stored = { ...rest, takenAt: time, ...(next === undefined ? { state: "ended" } : { nextAt: next }) };
    const latest = run.at(-1) ?? missed.at(-1) ?? nextAt;
    const isTaken = await write(record, base, async (tx) => {
      if (run.length === 0) return { ...base, last: { due: latest, outcome: "missed" } };
      if (overlaps && (spec.overlap ?? "skip") === "skip")
        return { ...base, last: { due: latest, outcome: "overlap", ...(before && { job: before.id }) } };
      let last: ScheduleRun = { due: latest, outcome: "missed" };
      for (const due of run) {
        try {
          const { job } = await jobs.add(jobOf(stored, maker, due, due + jitterOf(id, due, spec.jitterMs ?? 0)), tx);
          last = { due, outcome: "started", job: job.id };
        } catch (error) {
          if (!ToolError.is(error)) throw error;
          last = { due, outcome: "refused", reason: error.message };
        }
      }
      return { ...base, last };
    });
    if (isTaken && overlaps && spec.overlap === "replace") await jobs.cancel(before!.id);
  }

  function jobOf(stored: Stored, maker: Maker, due: number, at: number): Parameters<CallJobs["add"]>[0] {
    const { id, spec, depth } = stored;
    const origin = `schedule:${id}`;
    const caller = { ...maker, session: origin, run: runOf(depth, origin) };
    return { tool: spec.tool, input: spec.input ?? {}, caller, origin, key: `${id}@${new Date(due).toISOString()}`, at };
  }

  const active = (): readonly Breadcrumb[] => [...records.values()].filter((record) => contentOf(record).nextAt !== undefined);

  async function look(): Promise<void> {
    for (const record of active().toSorted((a, b) => contentOf(a).nextAt! - contentOf(b).nextAt!)) {
      if (isClosed) return;
      try {
        await take(record);
      } catch (error) {
        log.error("A schedule could not be looked at; it is tried again.", { schedule: record.id, error: String(error) });
      }
    }
  }

  function arm(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (!hasBegun || isClosed || looking !== undefined) return;
    const nextAt = active().reduce((least, record) => Math.min(least, contentOf(record).nextAt!), Number.POSITIVE_INFINITY);
    if (nextAt === Number.POSITIVE_INFINITY) return;
    const timer = options.clock.after(Math.max(0, Math.min(nextAt - now(), longestWaitMs)), () => {
      looking = look().finally(() => {
        looking = undefined;
        arm();
      });
    });
    timer.release?.();
    cancelTimer = timer;
  }

  records.subscribe((id, record) => {
    if (record === undefined) known.delete(id.slice(idPrefix.length));
    arm();
  });

  /** What nobody looked at waits. A run of a job has nobody, whoever made it. */
  function hasPerson(caller: Caller): boolean {
    if (depthOf(caller) !== undefined) return false;
    return caller.owner === true || (caller.roles ?? []).some((role) => role === "curator" || role === "admin");
  }

  function demandRoom(maker: Maker, isWaiting: boolean): void {
    const all = [...records.values()].map(contentOf);
    const own = all.filter((one) => one.maker.principal === maker.principal && one.maker.agent === maker.agent);
    const said = own.filter(({ state }) => state === "waiting").length;
    if (all.length >= limits.total) throw limited(`There are ${all.length} schedules, and no more may be made. Remove one first.`);
    if (own.length >= limits.perMaker)
      throw limited(`"${maker.agent ?? "This caller"}" has ${own.length} schedules, and no more may be made. Remove one first.`);
    if (isWaiting && said >= limits.waiting)
      throw limited(`${said} schedules of "${maker.agent ?? "this caller"}" wait for a person already. Wait until they are answered.`);
  }

  async function create({ id, spec: given, caller, by }: NewSchedule): Promise<ScheduleDetails> {
    checkId(id);
    const spec = readSpec(id, given);
    const above = depthOf(caller);
    const depth = above === undefined ? 0 : above + 1;
    if (depth > deepest)
      throw limited(`The run of a schedule that a schedule made may not make another one ("${id}"). Let a person make it.`);
    const maker = makerOf(caller);
    const isWaiting = !hasPerson(caller);
    demandRoom(maker, isWaiting);
    const fault = options.toolFault(spec.tool, maker);
    if (fault !== undefined) throw new ToolError("CONFIG_INVALID", `The schedule "${id}" is wrong: ${fault}`);
    const madeAt = now();
    const base: Stored = { id, spec, maker, depth, by: agentOf(by), madeAt, origin: "api", state: "waiting" };
    const ready = await started(base);
    if (ready.state === "ended")
      throw new ToolError("CONFIG_INVALID", `The schedule "${id}" is wrong: its time has passed. Choose a later one.`);
    const stored: Stored = isWaiting ? { ...base, reason: "Nobody has approved it yet." } : ready;
    if ((await records.create(draftOf(stored))) === undefined)
      throw new StoreError("STATE_INVALID", `There is a schedule "${id}" already. Choose another id, or remove it first.`);
    await audit({ kind: "schedule-added", subject: id, by, body: { spec, runsAs: maker, state: stored.state } });
    arm();
    return detailsOf(stored);
  }

  const ofFile = ({ id, origin }: Stored): StoreError =>
    new StoreError("STATE_INVALID", `The schedule "${id}" is in ${origin}. Change it there.`);

  return {
    list: () =>
      [...records.values()]
        .map((record) => infoOf(contentOf(record)))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    waiting: () => [...records.values()].map((record) => infoOf(contentOf(record))).filter(({ state }) => state === "waiting"),
    async get(id) {
      const stored = storedOf(id);
      return stored && detailsOf(stored);
    },
    add: create,
    pause: (id, by) =>
      change(id, by, "schedule-paused", (stored) => {
        if (stored.state !== "active") throw wrongState(stored, "paused");
        const { nextAt: _, ...rest } = stored;
        return { ...rest, state: "paused", reason: `Paused by ${agentOf(by)}.` };
      }),
    resume: (id, by) =>
      change(id, by, "schedule-resumed", (stored) => {
        if (stored.state !== "paused") throw wrongState(stored, "resumed");
        return started(stored);
      }),
    async decide(id, { approved, digest, by }) {
      const stored = storedOf(id);
      if (stored?.state !== "waiting") return undefined;
      if (digestOf(stored) !== digest)
        throw new StoreError("STATE_INVALID", `The schedule "${id}" is another than the one that you looked at. Look at it again.`);
      if (approved) return change(id, by, "schedule-approved", started);
      const details = await detailsOf(stored);
      await records.remove(recordId(id));
      await audit({ kind: "schedule-denied", subject: id, by, body: { tool: stored.spec.tool } });
      return details;
    },
    async run(id, by) {
      const stored = storedOf(id);
      if (stored === undefined) return undefined;
      if (stored.state === "waiting") throw wrongState(stored, "run");
      const maker = await presentMaker(stored.maker, options.keys, now());
      if (typeof maker === "string") throw new StoreError("STATE_INVALID", `The schedule "${id}" cannot run: ${maker}`);
      const jobs = await options.jobs();
      const { job } = await jobs.add({ ...jobOf(stored, maker, now(), now()), key: `${id}@run-${randomUUID()}` });
      await audit({ kind: "schedule-run", subject: id, by, body: { job: job.id } });
      return { job: job.id };
    },
    async remove(id, by) {
      const stored = storedOf(id);
      if (stored === undefined) return false;
      if (stored.origin !== "api") throw ofFile(stored);
      if (!(await records.remove(recordId(id)))) return false;
      await audit({ kind: "schedule-removed", subject: id, by, body: {} });
      return true;
    },
    async useFile(configured) {
      const wanted = new Set(configured.map(({ id }) => id));
      for (const { id, origin, spec: given, agent } of configured) {
        checkId(id);
        const spec = readSpec(id, given);
        const maker: Maker = { agent, principal: `schedule ${id}` };
        const before = await records.fetch(recordId(id));
        const stored = before && contentOf(before);
        if (stored?.origin === "api")
          throw new ToolError("CONFIG_INVALID", `The schedule "${id}" of ${origin} was made over the API already. Remove that one, or rename it.`);
        if (stored !== undefined && digestOf(stored) === digestOf({ spec, maker })) continue;
        const madeAt = stored?.madeAt ?? now();
        const next = await started({ id, spec, maker, depth: 0, by: "file", madeAt, origin, state: "active" });
        if (before === undefined) await records.create(draftOf(next));
        else await write(before, next);
      }
      for (const record of [...records.values()]) {
        const { id, origin } = contentOf(record);
        if (origin !== "api" && !wanted.has(id)) await records.remove(record.id);
      }
    },
    begin() {
      hasBegun = true;
      arm();
    },
    async close() {
      isClosed = true;
      cancelTimer?.();
      await looking;
    },
  };
}

class Conflict extends Error {}

const idPrefix = "schedule-";

function recordId(id: string): string {
  return `${idPrefix}${id}`;
}

function contentOf({ context }: Breadcrumb): Stored {
  return context as unknown as Stored;
}

function draftOf(stored: Stored): { readonly id: string; readonly schema_name: string; readonly title: string; readonly context: JsonObject } {
  const title = `Schedule ${stored.id}`;
  return { id: recordId(stored.id), schema_name: scheduleSchema, title, context: stored as unknown as JsonObject };
}

function digestOf({ spec, maker }: Pick<Stored, "spec" | "maker">): string {
  return `sha256:${createHash("sha256").update(JSON.stringify([spec, maker.agent, maker.principal])).digest("hex")}`;
}

function infoOf(stored: Stored): ScheduleInfo {
  const { id, spec, state, reason, maker, by, madeAt, origin, nextAt, last } = stored;
  return {
    id,
    spec,
    state,
    ...(reason !== undefined && { reason }),
    runsAs: maker,
    madeBy: by,
    madeAt,
    origin,
    digest: digestOf(stored),
    ...(nextAt !== undefined && { nextAt }),
    ...(last !== undefined && { last }),
  };
}

function checkId(id: string): void {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(id))
    throw new ToolError("CONFIG_INVALID", `"${id.slice(0, 80)}" is no id of a schedule: use up to 64 letters, digits, points, dashes and underscores.`);
}

function wrongState({ id, state }: Stored, verb: string): StoreError {
  const next = state === "waiting" ? ` Approve it first: toolrack approvals` : "";
  return new StoreError("STATE_INVALID", `The schedule "${id}" is ${state}, and cannot be ${verb}.${next}`);
}

function limited(message: string): ToolError {
  return new ToolError("RATE_LIMITED", message, { retryable: false });
}
