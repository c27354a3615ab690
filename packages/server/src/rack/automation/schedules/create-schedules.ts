import { createHash, randomUUID } from "node:crypto";
import { type Caller, type Logger, ToolError } from "@toolrack/core";
import { redactedMark } from "@toolrack/core/internal";
import type { Clock } from "@toolrack/core/node";
import { type BreadcrumbStore, type JsonObject, StoreError } from "@toolrack/store";
import type { WriteAudit } from "../../audit/audit.ts";
import { agentOf, type Author, signedBy } from "../../audit/author.ts";
import type { ApiKeys } from "../../rack.ts";
import type { RecordFeed } from "../../store/records.ts";
import { type CallJobs, depthOf, isOpen, runOf } from "../call-jobs.ts";
import type { ShowInput } from "../../calls/shown-input.ts";
import type { MessageSealer } from "../../mcp/sealed-messages.ts";
import { checkId, createKept, type KeptContent } from "../kept.ts";
import { type Maker, makerOf } from "../maker.ts";
import { presentCaller } from "../../jobs/present-caller.ts";
import { dueNow, jitterOf } from "./due.ts";
import type { NewSchedule, ScheduleDetails, ScheduleInfo, ScheduleRun, Schedules, ScheduleState, WaitingSchedule } from "./schedules.ts";
import { unreadableText } from "../sealed-input.ts";
import { readSpec, type ScheduleSpec } from "./spec.ts";
import type { Times } from "./times.ts";

export interface ScheduleManager extends Schedules {
  /** Takes over the schedules of the configuration file: new and changed ones are written, others of a file are removed. */
  useFile(configured: readonly ConfiguredSchedule[]): Promise<void>;
  /** Seals what earlier versions stored in clear. */
  sealOld(): Promise<void>;
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
  /** Seals inputs in the store. */
  readonly sealer: MessageSealer;
  readonly showInput: ShowInput;
  /** Opened with the first schedule that is due. */
  readonly jobs: () => Promise<CallJobs>;
  readonly keys: Pick<ApiKeys, "list" | "wereMade">;
  /** Why this tool cannot be called by this caller; undefined if it can. */
  readonly toolFault: (tool: string, caller: Caller) => string | undefined;
  /** Why this tool does not take this input; undefined if it does. */
  readonly inputFault: (tool: string, input: JsonObject) => string | undefined;
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
interface Stored extends KeptContent {
  readonly maker: Maker;
  readonly spec: ScheduleSpec;
  readonly depth: number;
  readonly by: string;
  readonly madeAt: number;
  readonly state: ScheduleState;
  readonly reason?: string;
  /** Who paused it, as the sign-in knows them. */
  readonly pausedBy?: string;
  readonly nextAt?: number;
  /** When its latest due time was taken. */
  readonly takenAt?: number;
  readonly last?: ScheduleRun;
}

type ActiveSchedule = Stored & { readonly nextAt: number };

/**
 * Schedules, as records. No timer belongs to one: each server looks which are due, and the one whose write of the next time comes first adds the
 * job, in the same transaction. So several servers run each time once, and a restart neither repeats one nor loses it.
 */
export function createSchedules(options: SchedulesOptions): ScheduleManager {
  const { log, audit, now } = options;
  const kept = createKept<Stored>({
    feed: options.feed,
    inner: options.inner,
    schemaName: scheduleSchema,
    noun: "schedule",
    most: limits.total,
    sealer: options.sealer,
    log,
  });
  const infoOf = (stored: Stored): ScheduleInfo => showSchedule(stored, options.showInput);
  const known = new Map<string, { readonly digest: string; readonly times: Times }>();
  let hasBegun = false;
  let isClosed = false;
  let cancelTimer: (() => void) | undefined;
  let looking: Promise<void> | undefined;

  async function timesOf(stored: Pick<Stored, "id" | "spec" | "madeAt">): Promise<Times> {
    const digest = JSON.stringify([stored.spec, stored.madeAt]);
    const found = known.get(stored.id);
    if (found?.digest === digest) return found.times;
    const module = await import("./times.ts");
    const times = module.timesOf(stored.id, stored.spec, stored.madeAt);
    // One that is refused leaves nothing here.
    if (kept.get(stored.id) !== undefined) known.set(stored.id, { digest, times });
    return times;
  }

  async function detailsOf(stored: Stored): Promise<ScheduleDetails> {
    const { nextTimes } = await import("./times.ts");
    const { nextAt } = stored;
    return { ...infoOf(stored), next: nextAt === undefined ? [] : nextTimes(await timesOf(stored), nextAt - 1, 5) };
  }

  async function change(
    id: string,
    by: Author,
    kind: string,
    next: (stored: Stored) => Stored | Promise<Stored>,
  ): Promise<ScheduleDetails | undefined> {
    const stored = await kept.change(id, next);
    if (stored === undefined) return undefined;
    await audit({ kind, subject: id, by, body: { state: stored.state, tool: stored.spec.tool } });
    return detailsOf(stored);
  }

  async function started(stored: Stored): Promise<Stored> {
    const times = await timesOf(stored);
    const { reason: _, nextAt: __, pausedBy: ___, ...rest } = stored;
    const nextAt = times.after(now());
    return nextAt === undefined ? { ...rest, state: "ended" } : { ...rest, state: "active", nextAt };
  }

  /** Runs what is due of one schedule, unless another server does. */
  async function take(stored: Stored): Promise<void> {
    const { spec, nextAt, takenAt } = stored;
    const time = now();
    if (nextAt === undefined) return;
    if (takenAt !== undefined && takenAt > time + jumpMs) {
      const sooner = (await timesOf(stored)).after(time);
      // The clock went back. Times that have run already have their jobs, and are not added again.
      if (sooner !== undefined && sooner < nextAt) await kept.replace(stored, () => ({ ...stored, nextAt: sooner, takenAt: time }));
      return;
    }
    if (nextAt > time) return;
    const times = await timesOf(stored);
    const maker = await presentCaller(stored.maker, options.keys, time);
    if (typeof maker === "string") return stop(stored, maker);
    const { run, missed, next } = dueNow(spec, times, nextAt, time);
    const jobs = await options.jobs();
    const before = stored.last?.job === undefined ? undefined : await jobs.get(stored.last.job);
    const overlaps = isOpen(before);
    const { nextAt: _, ...rest } = stored;
    const base: Stored = { ...rest, takenAt: time, ...(next === undefined ? { state: "ended" } : { nextAt: next }) };
    const latest = run.at(-1) ?? missed.at(-1) ?? nextAt;
    let begun: string | undefined;
    const isTaken = await kept.replace(stored, async (tx) => {
      if (run.length === 0) return { ...base, last: { due: latest, outcome: "missed" } };
      if (overlaps && (spec.overlap ?? "skip") === "skip") return { ...base, last: { due: latest, outcome: "overlap", job: before!.id } };
      let last: ScheduleRun | undefined;
      for (const due of run) last = await addJob(stored, maker, due, jobs, tx);
      begun = last?.job;
      return { ...base, ...(last && { last }) };
    });
    // A time that was missed or refused replaces nothing; after the clock went back, its job may be the one that runs.
    if (isTaken && overlaps && spec.overlap === "replace" && begun !== undefined && begun !== before!.id) await jobs.cancel(before!.id);
  }

  async function addJob(stored: Stored, maker: Maker, due: number, jobs: CallJobs, tx: BreadcrumbStore): Promise<ScheduleRun> {
    try {
      const { job } = await jobs.add(jobOf(stored, maker, due), tx);
      return { due, outcome: "started", job: job.id };
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      return { due, outcome: "refused", reason: error.message };
    }
  }

  function jobOf({ id, spec, depth }: Stored, maker: Maker, due: number): Parameters<CallJobs["add"]>[0] {
    const origin = `schedule:${id}`;
    const caller = { ...maker, session: origin, run: runOf(depth, origin) };
    const at = due + jitterOf(id, due, spec.jitterMs ?? 0);
    const key = `${id}@${new Date(due).toISOString()}`;
    return { tool: spec.tool, input: spec.input ?? {}, caller, origin, key, at };
  }

  /** Its maker, with the rights of now. Throws if it has none. */
  async function presentMaker({ id, maker }: Stored, deed: string): Promise<Maker> {
    const present = await presentCaller(maker, options.keys, now());
    if (typeof present === "string") throw new StoreError("STATE_INVALID", `The schedule "${id}" cannot ${deed}: ${present}`);
    return present;
  }

  async function stop(stored: Stored, reason: string): Promise<void> {
    const { nextAt: _, ...rest } = stored;
    if (!(await kept.replace(stored, () => ({ ...rest, state: "paused", reason, pausedBy: "server" })))) return;
    log.warn("A schedule is paused.", { schedule: stored.id, reason });
    await audit({ kind: "schedule-paused", subject: stored.id, by: "server", body: { reason } });
  }

  const active = (): readonly ActiveSchedule[] => kept.list().filter((stored): stored is ActiveSchedule => stored.nextAt !== undefined);

  async function look(): Promise<void> {
    for (const stored of active().toSorted((a, b) => a.nextAt - b.nextAt)) {
      if (isClosed) return;
      try {
        await take(stored);
      } catch (error) {
        log.error("A schedule could not be looked at; it is tried again.", { schedule: stored.id, error: String(error) });
      }
    }
  }

  function arm(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (!hasBegun || isClosed || looking !== undefined) return;
    const nextAt = active().reduce((least, one) => Math.min(least, one.nextAt), Number.POSITIVE_INFINITY);
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

  kept.subscribe((id, stored) => {
    if (stored === undefined) known.delete(id);
    arm();
  });

  function demandRoom(maker: Maker, isWaiting: boolean, all: readonly Stored[]): void {
    const isSignedIn = maker.principal !== undefined;
    const name = (maker.acting === true ? maker.principal : maker.agent) ?? "this caller";
    // An admin who makes them for many agents is one maker.
    const own = all.filter((one) => one.maker.principal === maker.principal && (isSignedIn || one.maker.agent === maker.agent));
    const asked = own.filter(({ state }) => state === "waiting").length;
    if (own.length >= limits.perMaker) throw limited(`"${name}" has ${own.length} schedules, and no more may be made. Remove one first.`);
    if (isWaiting && asked >= limits.waiting)
      throw limited(`${asked} schedules of "${name}" wait for a person already. Wait until they are answered.`);
  }

  /** What is stored of a new or changed schedule. */
  async function prepare(schedule: NewSchedule): Promise<Stored> {
    const { id, spec: given, caller, by, labels = {}, asksPerson = false } = schedule;
    checkId("schedule", id);
    const spec = readSpec(id, given);
    const depth = (depthOf(caller) ?? -1) + 1;
    if (depth > deepest) throw limited(`The run of a schedule that a run made may not make another one ("${id}"). Let a person make it.`);
    const maker = makerOf(caller);
    const foreign = Object.keys(labels).find((pointer) => labels[pointer]!.includes("untrusted"));
    const isWaiting = asksPerson || foreign !== undefined || !hasPerson(caller);
    if (hasMark(spec.input))
      throw new ToolError(
        "CONFIG_INVALID",
        `The schedule "${id}" is wrong: its input has ${redactedMark} for a value that is not shown. Write the value.`,
      );
    const fault = options.toolFault(spec.tool, maker) ?? options.inputFault(spec.tool, spec.input ?? {});
    if (fault !== undefined) throw new ToolError("CONFIG_INVALID", `The schedule "${id}" is wrong: ${fault}`);
    const base: Stored = { id, spec, maker, depth, by: agentOf(by), madeAt: now(), origin: "api", state: "waiting" };
    const ready = await started(base);
    if (ready.state === "ended")
      throw new ToolError("CONFIG_INVALID", `The schedule "${id}" is wrong: its time has passed. Choose a later one.`);
    return isWaiting
      ? { ...base, reason: `Nobody has approved it yet.${foreign === undefined ? "" : ` Somebody else wrote ${foreign.slice(0, 100)}.`}` }
      : ready;
  }

  async function add(schedule: NewSchedule): Promise<ScheduleDetails> {
    const stored = await prepare(schedule);
    const { id, spec, maker, state } = stored;
    await kept.create(stored, (all) => demandRoom(maker, state === "waiting", all));
    await audit({ kind: "schedule-added", subject: id, by: schedule.by, body: { spec, runsAs: maker, state } });
    return detailsOf(stored);
  }

  async function changePlan(schedule: NewSchedule): Promise<ScheduleDetails | undefined> {
    const { id, by } = schedule;
    const stored = await kept.change(id, (before) => {
      if (before.origin !== "api") throw new StoreError("STATE_INVALID", `The schedule "${id}" is in ${before.origin}. Change it there.`);
      return prepare({ ...schedule, spec: mergePlan(before.spec, schedule.spec as Partial<ScheduleSpec>) });
    });
    if (stored === undefined) return undefined;
    const { spec, maker, state } = stored;
    await audit({ kind: "schedule-changed", subject: id, by, body: { spec, runsAs: maker, state } });
    return detailsOf(stored);
  }

  return {
    list: () => kept.list().map(infoOf),
    waiting: () =>
      kept
        .list()
        .filter(({ state }) => state === "waiting")
        .map((stored) => toWaiting(stored, options.showInput)),
    async get(id) {
      const stored = kept.get(id);
      return stored && detailsOf(stored);
    },
    add,
    change: changePlan,
    pause: (id, by) =>
      change(id, by, "schedule-paused", (stored) => {
        if (stored.state !== "active") throw wrongState(stored, "paused");
        const { nextAt: _, ...rest } = stored;
        return { ...rest, state: "paused", reason: `Paused by ${agentOf(by)}.`, pausedBy: whoIs(by) };
      }),
    resume: (id, by, overrules = false) =>
      change(id, by, "schedule-resumed", async (stored) => {
        if (stored.state !== "paused") throw wrongState(stored, "resumed");
        demandNotHeld(stored, by, overrules);
        await presentMaker(stored, "be resumed");
        return started(stored);
      }),
    async decide(id, { approved, digest, by }) {
      const stored = kept.get(id);
      if (stored?.state !== "waiting") return undefined;
      demandSame(stored, digest);
      // What is stored by now may be another one of the same id.
      if (approved)
        return change(id, by, "schedule-approved", (newest) => {
          demandSame(newest, digest);
          return started(newest);
        });
      const details = await detailsOf(stored);
      await kept.remove(id);
      await audit({ kind: "schedule-denied", subject: id, by, body: { tool: stored.spec.tool } });
      return details;
    },
    async run(id, by, overrules = false) {
      const stored = kept.get(id);
      if (stored === undefined) return undefined;
      if (stored.isUnreadable === true) throw new StoreError("STATE_INVALID", `The schedule "${id}" cannot be run. ${unreadableText}`);
      if (stored.state === "waiting") throw wrongState(stored, "run");
      demandNotHeld(stored, by, overrules);
      const maker = await presentMaker(stored, "run");
      const jobs = await options.jobs();
      const { job } = await jobs.add({ ...jobOf(stored, maker, now()), at: now(), key: `${id}@run-${randomUUID()}` });
      await audit({ kind: "schedule-run", subject: id, by, body: { job: job.id } });
      return { job: job.id };
    },
    async remove(id, by) {
      if ((await kept.remove(id)) === undefined) return false;
      await audit({ kind: "schedule-removed", subject: id, by, body: {} });
      return true;
    },
    async useFile(configured) {
      const read = ({ id, origin, spec, agent }: ConfiguredSchedule): Stored => {
        const maker: Maker = { agent, principal: `schedule ${id}` };
        return { id, origin, spec: readSpec(id, spec), maker, depth: 0, by: "file", madeAt: now(), state: "active" };
      };
      await kept.useFile(configured, read, async (next, before) => {
        if (before !== undefined && digestOf(before) === digestOf(next)) return undefined;
        return started({ ...next, madeAt: before?.madeAt ?? next.madeAt });
      });
    },
    sealOld: kept.sealOld,
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

/** What nobody looked at waits. A run of a job has nobody, whoever made it. */
function hasPerson(caller: Caller): boolean {
  if (depthOf(caller) !== undefined) return false;
  return caller.acting === true || caller.owner === true || (caller.roles ?? []).some((role) => role === "curator" || role === "admin");
}

/** A new time takes the place of the earlier one, of whichever kind. */
function mergePlan(spec: ScheduleSpec, changes: Partial<ScheduleSpec>): Partial<ScheduleSpec> {
  const isNewTime = ["at", "everyMs", "cron"].some((key) => Object.hasOwn(changes, key));
  const { at: _, everyMs: __, from: ___, cron: ____, tz: _____, seconds: ______, ...rest } = spec;
  return { ...(isNewTime ? rest : spec), ...changes };
}

/** Whether a value is what stands for hidden ones: of an input that was read and sent back. */
function hasMark(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === redactedMark;
  return Object.values(value).some(hasMark);
}

function digestOf({ spec, maker }: Pick<Stored, "spec" | "maker">): string {
  return `sha256:${createHash("sha256")
    .update(JSON.stringify([spec, maker]))
    .digest("hex")}`;
}

function demandSame(stored: Stored, digest: string): void {
  if (stored.state === "waiting" && digestOf(stored) === digest) return;
  throw new StoreError("STATE_INVALID", `The schedule "${stored.id}" is another than the one that you looked at. Look at it again.`);
}

/** What a person stopped, an agent does not start again. */
function demandNotHeld({ id, state, pausedBy, reason = "" }: Stored, by: Author, overrules: boolean): void {
  if (state !== "paused" || overrules || pausedBy === whoIs(by)) return;
  throw new StoreError("STATE_INVALID", `The schedule "${id}" is paused: ${reason} Ask somebody with the role "curator" to resume it.`);
}

function whoIs(by: Author): string {
  const { agent, principal } = signedBy(by);
  return principal === "" ? agent : principal;
}

function showSchedule(stored: Stored, show: ShowInput): ScheduleInfo {
  const { id, state, reason, pausedBy, maker, by, madeAt, origin, nextAt, last } = stored;
  const { input, ...plan } = stored.spec;
  return {
    id,
    spec: { ...plan, ...(input !== undefined && { input: show(input) as JsonObject }) },
    state,
    ...(reason !== undefined && { reason }),
    ...(pausedBy !== undefined && { pausedBy: pausedBy === "server" ? "server" : "caller" }),
    runsAs: maker,
    madeBy: by,
    madeAt,
    origin,
    digest: digestOf(stored),
    ...(nextAt !== undefined && { nextAt }),
    ...(last !== undefined && { last }),
  };
}

function toWaiting(stored: Stored, show: ShowInput): WaitingSchedule {
  const { id, spec, maker, by, madeAt } = stored;
  const when = spec.at ?? (spec.cron === undefined ? `every ${spec.everyMs! / 1_000} s` : `${spec.cron} (${spec.tz!})`);
  const question = { schedule: id, tool: spec.tool, input: show(spec.input ?? {}), when, by, runsAs: maker, askedAt: madeAt };
  return { id: `schedule-${id}`, kind: "schedule", ...question, digest: digestOf(stored) };
}

function wrongState({ id, state }: Stored, verb: string): StoreError {
  const next = state === "waiting" ? " Approve it first: toolrack approvals" : "";
  return new StoreError("STATE_INVALID", `The schedule "${id}" is ${state}, and cannot be ${verb}.${next}`);
}

function limited(message: string): ToolError {
  return new ToolError("RATE_LIMITED", message);
}
