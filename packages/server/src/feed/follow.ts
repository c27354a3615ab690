import type { Caller, Registry, ToolEvent } from "@toolrack/core";
import { type BreadcrumbStore, type Selector, StoreError } from "@toolrack/store";
import { deliveryKind } from "../rack/automation/hooks/endpoints.ts";
import type { Jobs, JobNotice } from "../rack/jobs/jobs.ts";
import type { ConfigChanges, ConfigNotice } from "../rack/rack.ts";
import type { CallFeed, FedCall } from "../rack/calls/call-feed.ts";
import { callTypes, type FedType, recordTypes } from "./event-types.ts";
import { merge } from "./merge.ts";
import { type FeedPosition, toEventId } from "./position.ts";
import { createRecent } from "./recent.ts";

/** One event for a reader. An event without an id is not replayed after a reconnect. */
export interface FedEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

export interface FollowOptions {
  readonly registry: Registry;
  readonly callFeed: CallFeed;
  /** With the rights of the reader; absent if the reader may not follow records. */
  readonly store?: BreadcrumbStore | undefined;
  /** Whether the reader may see what this caller calls. */
  readonly maySeeCallsOf: (caller: Caller) => boolean;
  /** Whether the reader may know of this tool. */
  readonly maySeeTool: (tool: string) => boolean;
  /** Whether the reader may see the state of sources. */
  readonly maySeeSources: boolean;
  /** The jobs of this server. */
  readonly jobs: Pick<Jobs, "subscribe">;
  /** Reports each file that was used, or that waits for approval. */
  readonly configChanges: Pick<ConfigChanges, "subscribe">;
  readonly filter: EventFilter;
  readonly start: FeedPosition;
  /** The number of the last audit entry that retention removed. */
  readonly callsBegin: number;
  readonly signal: AbortSignal;
}

/** Filters events. With a filter for records or calls only, all others are left out. */
export interface EventFilter {
  /** @default all */
  readonly types?: readonly FedType[] | undefined;
  readonly tool?: string | undefined;
  readonly agent?: string | undefined;
  readonly records: Selector;
}

interface Told {
  readonly event: FedEvent;
  /** For stored events: the part of the position that they advance. */
  readonly moves?: Partial<FeedPosition>;
}

/**
 * Changes of records, calls and what happens to tools, as one stream.
 * Contract: a reader that resumes from an id misses no stored event, and gets none twice; if retention removed events after that id, a
 * "reset" comes first, and the reader has to read again what it needs.
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<FedEvent> {
  const { store, callFeed, filter, start, signal } = options;
  const choosesRecords = Object.keys(filter.records).length > 0;
  const choosesCalls = filter.tool !== undefined || filter.agent !== undefined;
  const isWanted = (type: FedType): boolean => filter.types === undefined || filter.types.includes(type);
  const makers: AsyncIterable<Told>[] = [];
  if (store !== undefined && (choosesRecords || !choosesCalls) && recordTypes.some(isWanted)) {
    makers.push(tellChanges(store, start.change, options, isWanted));
  }
  if (choosesCalls || !choosesRecords) {
    if (isWanted("call-end") || isWanted("result-for-user")) {
      if (start.call < options.callsBegin) makers.push(tellMissedCalls(start.call, options.callsBegin));
      makers.push(tellCalls(callFeed.after(start.call, signal), options, isWanted));
    }
    makers.push(tellPassing(options, isWanted));
  }
  let position = start;
  // A reader that loses the connection before the first event can resume from here.
  yield { id: toEventId(position), event: "ready", data: {} };
  for await (const { event, moves } of merge(makers)) {
    if (moves === undefined) yield event;
    else {
      position = { ...position, ...moves };
      yield { ...event, id: toEventId(position) };
    }
  }
}

async function* tellChanges(
  store: BreadcrumbStore,
  since: number,
  { filter, signal }: FollowOptions,
  isWanted: (type: FedType) => boolean,
): AsyncGenerator<Told> {
  for (let from = since; ;) {
    try {
      for await (const { sequence, type, record } of store.changes({ since: from, selector: filter.records, signal })) {
        from = sequence;
        const event = `record-${type}` as const;
        if (isWanted(event)) yield { event: { event, data: { sequence, type, record } }, moves: { change: sequence } };
      }
      return;
    } catch (error) {
      if (!StoreError.is(error) || error.code !== "CHANGES_GONE") throw error;
      const missedAfter = from;
      from = await store.sequence();
      yield { event: { event: "reset", data: { of: "records", missedAfter, from, reason: error.message } }, moves: { change: from } };
    }
  }
}

/** A call with a result for the user has two events and one number: only the last of them moves the position. */
async function* tellCalls(
  calls: AsyncIterable<FedCall>,
  { filter, maySeeCallsOf, maySeeTool, callFeed, signal }: FollowOptions,
  isWanted: (type: FedType) => boolean,
): AsyncGenerator<Told> {
  for await (const call of calls) {
    const { number, callId, tool, ok, code, durationMs, startedAt, caller, version, parentCallId } = call;
    if (!maySeeCallsOf(caller) || !maySeeTool(tool) || !fits(filter, tool, caller.agent)) continue;
    const result = isWanted("result-for-user") ? await callFeed.forUser(call, signal) : undefined;
    const tellsEnd = isWanted("call-end");
    if (result !== undefined) yield { event: { event: "result-for-user", data: result }, ...(!tellsEnd && { moves: { call: number } }) };
    if (!tellsEnd) continue;
    const data = { callId, tool, ok, code, durationMs, startedAt, agent: caller.agent, version, parentCallId };
    yield { event: { event: "call-end", data }, moves: { call: number } };
  }
}

async function* tellMissedCalls(missedAfter: number, from: number): AsyncGenerator<Told> {
  const reason = `Calls after ${missedAfter} were removed by retention: the oldest that is kept comes after ${from}.`;
  yield { event: { event: "reset", data: { of: "calls", missedAfter, from, reason } }, moves: { call: from } };
}

/** Live events, which are not stored: from now on until the signal. */
function tellPassing(options: FollowOptions, isWanted: (type: FedType) => boolean): AsyncIterable<Told> {
  const { registry, filter, signal } = options;
  const recent = createRecent<Told>(1_000, (count) => ({ event: { event: "dropped", data: { count } } }));
  const callers = new Map<string, Caller>();

  function onEvent(event: ToolEvent): void {
    if (event.type === "call-start") callers.set(event.callId, event.caller);
    const caller = ("callId" in event ? callers.get(event.callId) : undefined) ?? {};
    if (event.type === "call-end") callers.delete(event.callId);
    else if (isWanted(event.type) && mayPass(event, caller, options))
      recent.push({ event: { event: event.type, data: toData(event, caller.agent) } });
  }

  function onConfig({ digest, changed, waiting, restart }: ConfigNotice): void {
    const data = { digest, changed, waiting, restart };
    const isAsked = filter.tool === undefined && filter.agent === undefined && isWanted("config-changed");
    if (options.maySeeSources && isAsked) recent.push({ event: { event: "config-changed", data } });
  }

  function onJob({ type, job, caller: callerOf }: JobNotice): void {
    const { id, kind, subject, state, origin, attempt, dueAt, progress, error } = job;
    const event = `job-${type}` as const;
    if (!isWanted(event)) return;
    // A delivery, and a job whose stored content was changed, are nobody's own.
    const caller = callerOf() ?? {};
    const isDelivery = kind === deliveryKind;
    if (!options.maySeeCallsOf(caller) || !(isDelivery || options.maySeeTool(subject))) return;
    if (!fits(filter, isDelivery ? undefined : subject, caller.agent)) return;
    const about = isDelivery ? { webhook: subject } : { tool: subject, agent: caller.agent };
    recent.push({ event: { event, data: { id, ...about, state, origin, attempt, dueAt, progress, error } } });
  }

  let leaveJobs = (): void => undefined;
  let leaveConfig = (): void => undefined;
  function onAbort(): void {
    registry.unsubscribe(onEvent);
    leaveConfig();
    leaveJobs();
    recent.end();
  }

  if (signal.aborted) recent.end();
  else {
    registry.subscribe(onEvent);
    leaveConfig = options.configChanges.subscribe(onConfig);
    leaveJobs = options.jobs.subscribe(onJob);
    signal.addEventListener("abort", onAbort, { once: true });
  }
  return recent;

  function mayPass(
    event: Exclude<ToolEvent, { type: "call-end" }>,
    caller: Caller,
    { maySeeCallsOf, maySeeTool, maySeeSources }: FollowOptions,
  ): boolean {
    if (isCall(event)) return maySeeCallsOf(caller) && maySeeTool(event.tool) && fits(filter, event.tool, caller.agent);
    if (filter.agent !== undefined) return false;
    return "tool" in event ? maySeeTool(event.tool) && fits(filter, event.tool, undefined) : maySeeSources && filter.tool === undefined;
  }
}

function fits({ tool, agent }: EventFilter, itsTool: string | undefined, itsAgent: string | undefined): boolean {
  return (tool === undefined || tool === itsTool) && (agent === undefined || agent === itsAgent);
}

function isCall(event: ToolEvent): event is Extract<ToolEvent, { callId: string }> {
  return (callTypes as readonly string[]).includes(event.type);
}

function toData(event: Exclude<ToolEvent, { type: "call-end" }>, agent: string | undefined): unknown {
  switch (event.type) {
    case "call-start":
      return { callId: event.callId, tool: event.tool, agent, parentCallId: event.parentCallId, at: event.time };
    case "call-progress":
      return { callId: event.callId, tool: event.tool, agent, ...event.progress, at: event.time };
    default: {
      const { type: _, sequence: __, time, ...facts } = event;
      return { ...facts, at: time };
    }
  }
}
