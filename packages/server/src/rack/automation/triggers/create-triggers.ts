import { type Caller, type Logger, ToolError } from "@toolrack/core";
import { type JsonSchema, validateValue } from "@toolrack/json-schema";
import { type BreadcrumbStore, type JsonObject, StoreError } from "@toolrack/store";
import { triggerSchema } from "../../../config/automation.ts";
import { agentNameOf, storeAgentOf } from "../../access/store-agent.ts";
import type { WriteAudit } from "../../audit/audit.ts";
import { agentOf, type Author } from "../../audit/author.ts";
import type { ApiKeys } from "../../rack.ts";
import type { RecordFeed } from "../../store/records.ts";
import { type ShowInput, showMapping } from "../../calls/shown-input.ts";
import type { MessageSealer } from "../../mcp/sealed-messages.ts";
import { type CallJobs, depthOf, runOf, type SeenJob } from "../call-jobs.ts";
import { checkSelector, matches, type Positions, type StoredEvent, typesOf } from "../events/event.ts";
import { checkInput, mapInput, mappingFault } from "../events/mapping.ts";
import type { EventListener } from "../events/listener.ts";
import { checkId, createKept, type KeptContent, type PausedBy } from "../kept.ts";
import { type Maker, makerOf } from "../maker.ts";
import { presentCaller } from "../../jobs/present-caller.ts";
import { unreadableText } from "../sealed-input.ts";
import { createSkips } from "./skips.ts";
import { tryEvent } from "./try-event.ts";
import type { NewTrigger, TriggerInfo, Triggers, TriggerSpec } from "./triggers.ts";

export interface TriggerManager extends Triggers, EventListener {
  useFile(configured: readonly ConfiguredTrigger[]): Promise<void>;
  /** Seals what earlier versions stored in clear. */
  sealOld(): Promise<void>;
}

export interface ConfiguredTrigger {
  readonly id: string;
  readonly origin: string;
  readonly spec: unknown;
  /** The agent that its calls run as. */
  readonly agent: string;
}

export interface TriggersOptions {
  readonly feed: RecordFeed;
  readonly inner: BreadcrumbStore;
  /** Seals inputs in the store. */
  readonly sealer: MessageSealer;
  readonly showInput: ShowInput;
  readonly jobs: () => Promise<CallJobs>;
  readonly keys: Pick<ApiKeys, "list" | "wereMade">;
  /** The schema of a tool's input; undefined if there is no such tool now. */
  readonly schemaOf: (tool: string) => JsonSchema | undefined;
  readonly toolFault: (tool: string, caller: Caller) => string | undefined;
  /** Where the streams of events are now. */
  readonly position: () => Promise<Positions>;
  readonly audit: WriteAudit;
  readonly log: Logger;
  now(): number;
}

/** The first job of a chain has the depth 0. What a job of this depth causes calls nothing. */
const deepest = 3;
const mostTriggers = 200;
const defaultPerMinute = 60;

interface Stored extends KeptContent {
  readonly maker: Maker;
  readonly spec: TriggerSpec;
  readonly by: string;
  readonly madeAt: number;
  readonly since: Positions;
  readonly state: TriggerInfo["state"];
  readonly reason?: string;
  readonly pausedBy?: PausedBy;
}

export function createTriggers(options: TriggersOptions): TriggerManager {
  const { log, audit, now } = options;
  const kept = createKept<Stored>({
    feed: options.feed,
    inner: options.inner,
    schemaName: "toolrack.trigger.v1",
    noun: "trigger",
    most: mostTriggers,
    sealer: options.sealer,
    log,
  });
  /** The events of the last minute with their times, the same on every server. */
  const recent = new Map<string, ReadonlyMap<string, number>>();
  const problems = new Map<string, NonNullable<TriggerInfo["problem"]>>();
  const skips = createSkips();

  function readSpec(id: string, value: unknown, caller: Caller): TriggerSpec {
    const wrong = (fact: string): ToolError => new ToolError("CONFIG_INVALID", `The trigger "${id}" is wrong: ${fact}`);
    const checked = validateValue(triggerSchema, value);
    if (!checked.ok) throw wrong(checked.issues.map(({ message }) => message).join(" "));
    const spec = checked.value as TriggerSpec;
    checkSelector("trigger", id, spec.on);
    if (typesOf(spec.on).includes("result-for-user"))
      throw wrong("results for the user go to people: to webhooks and to the stream of events, not to tools. Leave out result-for-user.");
    const toolFault = options.toolFault(spec.tool, caller);
    if (toolFault !== undefined) throw wrong(toolFault);
    const schema = options.schemaOf(spec.tool);
    const fault = spec.input && schema !== undefined ? mappingFault(spec.input, schema) : undefined;
    if (fault !== undefined) throw wrong(fault);
    return spec;
  }

  async function change(
    id: string,
    by: Author,
    kind: string,
    next: (stored: Stored) => Stored | Promise<Stored>,
  ): Promise<TriggerInfo | undefined> {
    const stored = await kept.change(id, next);
    if (stored === undefined) return undefined;
    recent.delete(id);
    await audit({ kind, subject: id, by, body: { state: stored.state, tool: stored.spec.tool } });
    return infoOf(stored);
  }

  const infoOf = (stored: Stored): TriggerInfo => {
    const { id, state, reason, pausedBy, maker, by, madeAt, origin } = stored;
    const { input, ...plan } = stored.spec;
    const problem = problems.get(id);
    const skipped = skips.of(id);
    return {
      id,
      spec: { ...plan, ...(input !== undefined && { input: showMapping(input, options.showInput) }) },
      state,
      ...(reason !== undefined && { reason }),
      ...(pausedBy !== undefined && { pausedBy }),
      runsAs: maker,
      madeBy: by,
      madeAt,
      origin,
      ...(problem && { problem }),
      ...(skipped && { skipped }),
    };
  };

  async function stop(stored: Stored, reason: string): Promise<void> {
    if (!(await kept.replace(stored, () => ({ ...stored, state: "paused", reason, pausedBy: "server" })))) return;
    log.warn("A trigger is paused.", { trigger: stored.id, reason });
    await audit({ kind: "trigger-paused", subject: stored.id, by: "server", body: { reason } });
  }

  function refuse({ id }: Stored, event: StoredEvent, reason: string): void {
    problems.set(id, { event: event.id, at: event.at, reason });
    skips.add(id, event, reason);
    log.warn("An event called no tool.", { trigger: id, event: event.id, reason });
  }

  /** An event that is handed over again, because the store failed, counts once. */
  function comesTooOften({ id, spec }: Stored, { id: event, at }: StoredEvent): boolean {
    const times = new Map([...(recent.get(id) ?? [])].filter(([, time]) => time > at - 60_000)).set(event, at);
    recent.set(id, times);
    return times.size > (spec.perMinute ?? defaultPerMinute);
  }

  /** Its maker, with the rights of now; a sentence if it may not have a trigger any more. */
  async function makerNow({ maker, origin }: Stored): Promise<Maker | string> {
    const present = await presentCaller(maker, options.keys, now());
    const mayHave = typeof present === "string" || origin !== "api" || present.acting === true || mayMakeTriggers(present);
    return mayHave ? present : `"${present.agent ?? ""}" may not read all records any more.`;
  }

  async function handle(stored: Stored, event: StoredEvent): Promise<void> {
    const { id, spec } = stored;
    if (event.number <= stored.since[event.stream] || !matches(spec.on, event)) return;
    const itself = agentNameOf(stored.maker);
    if (event.actor === itself && spec.ownEvents !== true)
      return skips.add(id, event, `The agent "${itself}", as which the trigger runs, did this itself, and ownEvents is not set.`);
    if (comesTooOften(stored, event))
      return stop(stored, `More than ${spec.perMinute ?? defaultPerMinute} events came within a minute. Resume it once the cause is gone.`);
    const maker = await makerNow(stored);
    if (typeof maker === "string") return stop(stored, maker);
    const jobs = await options.jobs();
    const depth = (event.depth ?? (await depthOfAuthor(event, jobs)) ?? -1) + 1;
    if (depth > deepest) return refuse(stored, event, `It comes from a chain of ${depth} jobs that called each other.`);
    try {
      const schema = options.schemaOf(spec.tool);
      const mapped = mapInput(spec.input, { type: event.type, id: event.id, at: event.at, ...event.data });
      const input = checkInput(spec.tool, schema ?? {}, mapped);
      const from = `trigger:${id}`;
      const caller = { ...maker, session: from, run: runOf(depth, from) };
      await jobs.add({ tool: spec.tool, input, caller, origin: from, key: `${id}/${event.id}` });
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      refuse(stored, event, error.message);
    }
  }

  return {
    list: () => kept.list().map(infoOf),
    get(id) {
      const stored = kept.get(id);
      return stored && infoOf(stored);
    },
    async add({ id, spec: given, caller, by }: NewTrigger) {
      checkId("trigger", id);
      const maker = makerOf(caller);
      const spec = readSpec(id, given, maker);
      const stored: Stored = {
        id,
        spec,
        maker,
        by: agentOf(by),
        madeAt: now(),
        origin: "api",
        since: await options.position(),
        state: "active",
      };
      await kept.create(stored);
      await audit({ kind: "trigger-added", subject: id, by, body: { spec, runsAs: maker } });
      return infoOf(stored);
    },
    pause: (id, by) =>
      change(id, by, "trigger-paused", (stored) => {
        if (stored.state !== "active") throw new StoreError("STATE_INVALID", `The trigger "${id}" is paused already.`);
        return { ...stored, state: "paused", reason: `Paused by ${agentOf(by)}.`, pausedBy: "caller" };
      }),
    resume: (id, by) =>
      change(id, by, "trigger-resumed", async (stored) => {
        if (stored.state !== "paused") throw new StoreError("STATE_INVALID", `The trigger "${id}" is active already.`);
        const maker = await makerNow(stored);
        if (typeof maker === "string") throw new StoreError("STATE_INVALID", `The trigger "${id}" cannot be resumed: ${maker}`);
        const { reason: _, pausedBy: __, ...rest } = stored;
        return { ...rest, state: "active", since: await options.position() };
      }),
    async remove(id, by) {
      if ((await kept.remove(id)) === undefined) return false;
      await audit({ kind: "trigger-removed", subject: id, by, body: {} });
      return true;
    },
    async test(id, event) {
      const stored = kept.get(id);
      if (stored === undefined) return undefined;
      const maker = await makerNow(stored);
      if (typeof maker === "string") return { isChosen: false, fault: maker };
      if (stored.isUnreadable === true) return { isChosen: false, fault: unreadableText };
      const { input, ...tried } = tryEvent(stored.spec, maker, event, options);
      return { ...tried, ...(input !== undefined && { input: options.showInput(input) as JsonObject }) };
    },
    async useFile(configured) {
      const since = configured.length === 0 ? undefined : await options.position();
      const read = ({ id, origin, spec, agent }: ConfiguredTrigger): Stored => {
        const maker: Maker = { agent, principal: `trigger ${id}` };
        return { id, origin, spec: readSpec(id, spec, maker), maker, by: "file", madeAt: now(), since: since!, state: "active" };
      };
      await kept.useFile(configured, read, async (next, before) =>
        before !== undefined && JSON.stringify([before.spec, before.maker]) === JSON.stringify([next.spec, next.maker]) ? undefined : next,
      );
    },
    sealOld: kept.sealOld,
    wanted: () => kept.list().flatMap(({ state, spec, since }) => (state === "active" ? [{ types: typesOf(spec.on), since }] : [])),
    subscribe: (listener) =>
      kept.subscribe((id, stored) => {
        if (stored === undefined) {
          problems.delete(id);
          skips.forget(id);
          recent.delete(id);
        }
        listener();
      }),
    async take(event) {
      for (const stored of kept.list()) if (stored.state === "active") await handle(stored, event);
    },
  };
}

/** Events show all records, which is what curators see. */
export function mayMakeTriggers({ roles = [], owner }: Pick<Caller, "roles" | "owner">): boolean {
  return owner === true || roles.includes("curator") || roles.includes("admin");
}

/**
 * A record does not say which call wrote it. What an agent wrote while a job of its own ran may have been that job, and counts as if it was: a chain is
 * cut too early rather than never.
 */
async function depthOfAuthor({ author, at }: StoredEvent, jobs: CallJobs): Promise<number | undefined> {
  if (author === undefined) return undefined;
  const lately = await jobs.list({ limit: 200 });
  const depths = lately.flatMap((job) => {
    const caller = ranAt(job, at) ? job.caller : undefined;
    const depth = caller === undefined || storeAgentOf(caller) !== author ? undefined : depthOf(caller);
    return depth === undefined ? [] : [depth];
  });
  return depths.length === 0 ? undefined : Math.max(...depths);
}

function ranAt({ startedAt, endedAt }: SeenJob, at: number): boolean {
  // Clocks of servers differ a little.
  return startedAt !== undefined && startedAt - 1_000 <= at && at <= (endedAt ?? Number.POSITIVE_INFINITY) + 1_000;
}
