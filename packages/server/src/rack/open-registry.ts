import {
  type AddedWrapper,
  type Caller,
  createRegistry,
  type InvokeOptions,
  type Logger,
  type Registry,
  type RegistryOptions,
  type ToolSource,
} from "@toolrack/core";
import { defaultInputKeys, defaultMaxResultBytes, defaultTimeoutMs, hasMoreKeys, keyedInput } from "@toolrack/core/internal";
import { type Clock, createCapabilities } from "@toolrack/core/node";
import type { Reranker } from "@toolrack/core/search";
import { runnableAgents } from "../config/agents.ts";
import type { RackConfig } from "../config/config.ts";
import { agentsCapability, agentsCheck } from "./agents/agents-check.ts";
import { type AbsentTools, createAbsentTools } from "./sources/absent-tools.ts";
import { followAbandoned } from "./calls/abandoned.ts";
import { chooseApprover } from "./approvals/choose-approver.ts";
import { type CallEnds, tellEnds } from "./calls/call-ends.ts";
import { type MissingAnswer, missingAnswer } from "./access/missing-answer.ts";
import { newCallId } from "./calls/call-id.ts";
import { waitingSentence } from "./trust/waiting-sentences.ts";
import { isLeft, outOfContact } from "./calls/shut-down.ts";
import type { Closers } from "./util/closers.ts";
import { retentionOf } from "../config/retention.ts";
import { createSharedIdempotency } from "./calls/idempotency.ts";
import { type ActionGates, createActionGates } from "./tools/action-gates.ts";
import { createResultScan } from "./tools/result-scan.ts";
import { programChecks, withChecks } from "./tools/isolation.ts";
import type { LeaseTimes } from "./cluster/lease.ts";
import type { RackState } from "./open-state.ts";
import type { Rack, RunningCalls } from "./rack.ts";
import { type LocalCalls, createLocalCalls, type Invoke } from "./calls/local-calls.ts";
import { differingSections } from "./cluster/agreement.ts";
import { createServers, type Servers } from "./cluster/servers.ts";
import { createGrants, type Grants } from "./trust/grants.ts";
import { logDefinitions } from "./trust/log-events.ts";
import { createSeenTools, type SeenTools } from "./trust/log-seen.ts";
import { createOverlays, type Overlays } from "./trust/overlays.ts";
import { createSharedCalls } from "./calls/shared-calls.ts";
import { createUserChannel } from "./calls/user-channel.ts";
import type { Tracing } from "./calls/tracing.ts";
import { createTexts, type Texts } from "./texts/texts.ts";
import { createTrust } from "./trust/create-trust.ts";
import type { Trust } from "./trust/trust.ts";
import { createWorkerChecks, type WorkerChecks } from "./workers/worker-checks.ts";
import { createJobs, type JobManager } from "./jobs/create-jobs.ts";
import type { AwayTool } from "./jobs/run-call.ts";
import { presentCaller } from "./jobs/present-caller.ts";
import { endLostCalls } from "./calls/end-lost-calls.ts";
import { createTaskManager, type TaskManager } from "./mcp/task-manager.ts";
import { createPrograms, type ProgramManager } from "./programs/create-programs.ts";
import type { Programs } from "./programs/programs.ts";

/** The registry of a rack, and the calls that run through it in this process. */
export interface RackRegistry {
  readonly registry: Registry;
  readonly actionGates: ActionGates;
  readonly overlays: Overlays;
  readonly grants: Grants;
  readonly seen: SeenTools;
  readonly localCalls: LocalCalls;
  readonly running: RunningCalls;
  readonly callEnds: CallEnds;
  readonly servers: Servers;
  readonly trust: Trust;
  readonly texts: Texts;
  readonly programs: Programs;
  readonly jobs: JobManager;
  readonly workerChecks: WorkerChecks;
  readonly absent: AbsentTools;
  /** Why a name has no tool now, where more can be said. */
  missingTool(name: string, caller: Caller): MissingAnswer | undefined;
  /** See `Rack`. */
  openBeside(options: Pick<RegistryOptions, "secrets">): Registry;
  readonly tasks: TaskManager;
  /** Goes on with the programs and tasks of servers that ended, now and from now on. Call it when the tools are there. */
  takeOver(): Promise<void>;
  /** Calls the listener after each look for servers that ended. */
  onSwept(listener: () => Promise<void>): void;
}

export interface OpenRegistryOptions {
  readonly state: RackState;
  readonly config: RackConfig;
  /** The workspace. */
  readonly root: string;
  /** The folder of the configuration: relative folders of overlays start there. */
  readonly folder: string;
  /** No path argument of a call may lead to these files. */
  readonly ownFiles: readonly string[];
  readonly log: Logger;
  readonly clock: Clock;
  readonly closers: Closers;
  readonly more: RegistryOptions | undefined;
  readonly leaseTimes: LeaseTimes | undefined;
  /** Wrappers that modules add. */
  readonly wrappers: readonly AddedWrapper[];
  readonly tracing: Tracing;
  readonly definitionFaults: Rack["definitionFaults"];
  readonly reranker: Reranker | undefined;
}

export async function openRegistry(options: OpenRegistryOptions): Promise<RackRegistry> {
  const { state, config, root, folder, ownFiles, log, clock, closers, more, leaseTimes, tracing } = options;
  const { configs, secrets, calls, recording, approvals, feed, inner, lease, settings } = state;
  const { outputValidation, repairInputs, aliases } = config.tools ?? {};
  const callEnds = tellEnds(recording.recorder);
  const actionGates = createActionGates(settings.disabledActions);
  const servers = createServers(inner, lease, state.own);
  const trust = createTrust({
    store: state.store,
    feed,
    log,
    server: lease,
    liveServers: async () => (await servers.list()).filter(({ status }) => status === "active").map(({ name }) => name),
    sources: settings.sources,
    config: () => settings.config().trust,
    accepted: () => settings.config().scan?.accept ?? [],
    logDefinitions,
    agrees: async () =>
      (await servers.list()).every(
        ({ isThis, status, info }) => isThis || status !== "active" || differingSections(servers.self(), info).length === 0,
      ),
    now: () => clock.now(),
  });
  closers.add(() => trust.close());
  const approver = chooseApprover({
    approvals,
    askClients: config.approvals?.askClients ?? false,
    isOfProgram: (request) => programs.isWithin(request),
  });
  const resultScan = createResultScan({
    config: () => settings.config().scan,
    sourceOf: (tool) => base.entries().find((entry) => entry.tool.name === tool)?.source ?? texts.sourceOf(tool),
    has: (tool) => base.has(tool),
    approver,
    audit: state.audit,
  });
  const workerChecks = createWorkerChecks();
  const ownChecks = { ...programChecks, [agentsCapability]: agentsCheck(() => settings.config().agents) };
  const registryOptions: RegistryOptions = {
    ...more,
    wrappers: [actionGates.wrapper, resultScan, ...(more?.wrappers ?? []), ...options.wrappers],
    config: configs,
    secrets,
    recorder: callEnds.recorder,
    userChannel: createUserChannel(calls),
    approver,
    capabilities: workerChecks.within(
      more?.capabilities ? withChecks(more.capabilities, ownChecks) : createCapabilities({ checks: ownChecks }),
    ),
    clock,
    log,
    redaction: { fields: [...hiddenFields, ...(config.redaction?.fields ?? [])], values: () => secrets.seenValues() },
    workspace: { root, hidden: ownFiles },
    ...(config.limits && { limits: config.limits }),
    ...(outputValidation !== undefined && { outputValidation }),
    ...(repairInputs !== undefined && { repairInputs }),
    ...(aliases !== undefined && { aliases }),
    get traceCall() {
      return tracing.traceCall;
    },
  };
  const base: Registry = createRegistry({
    ...registryOptions,
    missingTool: (name, caller) => missingTool(name, caller),
    get traceCall() {
      return tracing.traceCall;
    },
  });
  closers.add(() => base.close());
  const missingTool = (name: string, caller: Caller): MissingAnswer | undefined =>
    missingAnswer({ trust, grants, overlays, absent, definitionFaults: options.definitionFaults, registry: base, config }, name, caller);
  const absent = createAbsentTools({ registry: base, knownOf: trust.knownOf, log, now: () => clock.now() });
  const texts = createTexts({
    open() {
      const opened = createRegistry(registryOptions);
      closers.add(() => opened.close());
      return opened;
    },
    isAllowed(tool, caller) {
      const { allowed, ask } = base.view(caller).decisionAbout(tool);
      return allowed && ask === undefined;
    },
  });
  const refresh = async (id: string): Promise<unknown> => base.refreshSource(id);
  const seen = createSeenTools();
  /** An API gets the secrets that its configuration names; a document alone gets none. */
  const namedSecrets = (sourceId: string): ReadonlySet<string> | undefined => {
    const found = sourceId.startsWith("openapi:") ? settings.sources().find(({ id }) => `openapi:${id}` === sourceId) : undefined;
    return found?.source.openapi && new Set(Object.values(found.source.openapi.secrets ?? {}));
  };
  const grants = createGrants({ store: state.store, inner, feed, seen, refresh, now: () => clock.now(), namedSecrets });
  const overlays = createOverlays({
    store: state.store,
    inner,
    feed,
    seen,
    refresh,
    configured: settings.overlays,
    limits: { timeoutMs: defaultTimeoutMs, maxResultBytes: defaultMaxResultBytes, ...config.limits },
    folder,
    overlaid: state.overlaid,
    holderOf: (name) => base.entries().find(({ tool }) => tool.name === name)?.source,
    waitsFor: (origin) => waitingSentence({ trust, grants }, origin),
    log,
  });

  const keepMs = retentionOf(config).answersHours * 3_600_000;
  const unfinished = { calls, toolOf: (name: string) => base.get(name), mayRunUnrecorded: config.audit?.onFailure === "warn" };
  const idempotency = createSharedIdempotency({ store: inner, lease, keepMs, ...unfinished });
  const { inputKeys = defaultInputKeys } = config.limits ?? {};
  const invokeOnce: Invoke = (tool, input, options) => {
    if (options.idempotencyKey === undefined) return base.invoke(tool, input, options);
    const { idempotencyKey: key, ...rest } = options;
    const { caller = {}, callId, signal } = rest;
    // The policy decides first: a hidden tool is refused by the call itself, and no stored answer is returned.
    const called = base.get(tool);
    if (base.view(caller).decision(called?.name ?? tool)?.allowed !== true) return base.invoke(tool, input, rest);
    if (hasMoreKeys(input, inputKeys)) return base.invoke(tool, input, rest);
    return idempotency.once({ key, tool, request: keyedInput(called, input), caller, callId, ...(signal && { signal }) }, (lost) => {
      // Another server may have taken the key: a call that has not started must not start.
      const cancel = (): void => localCalls.get(callId)?.cancel(outOfContact);
      if (lost.aborted) cancel();
      else lost.addEventListener("abort", cancel, { once: true });
      return base.invoke(tool, input, rest);
    });
  };
  const invoke: Invoke = (tool, input, options) => {
    const [arriving, looking] = [abandoned.arrive(), absent.lookFor(tool)];
    if ((arriving ?? looking) === undefined) return invokeOnce(tool, input, options);
    return Promise.all([arriving, looking]).then(() => invokeOnce(tool, input, options));
  };
  const localCalls = createLocalCalls(invoke, (callId) => running.onEnd(callId));
  const isAgent = (tool: string): boolean => runnableAgents(settings.config().agents).some(({ id }) => id === tool);
  closers.add(endLostCalls({ keys: state.keys, calls: localCalls, looksItself: isAgent, log, now: () => clock.now() }));
  approvals.onWaiting((callIds, notice) => localCalls.tellWaiting(callIds, notice));
  const running = createSharedCalls({
    tickets: state.tickets,
    local: localCalls,
    calls,
    ownName: () => lease.name,
    log,
    onStoreFailed: state.storeWatch.failed,
    now: () => clock.now(),
    asking: () => approvals.list(),
  });
  const programs: ProgramManager = createPrograms({
    registry: base,
    reranker: options.reranker,
    store: inner,
    feed,
    sharedKey: state.sharedKey,
    keepMs,
    calls,
    callEnds,
    unfinished,
    server: lease,
    log,
    audit: state.audit,
    redact: state.showInput,
    callerNow: (caller) => presentCaller(caller, state.keys, clock.now()),
    start: (tool, input, given) => localCalls.start(tool, input, given),
    cancel: (callId, reason) => running.cancel(callId, reason),
    isAsking: async (id) => (await approvals.fetch(id)) !== undefined,
    withdraw: (ids) => approvals.withdraw(ids),
    knownServers: async () => (await servers.list()).map(({ name }) => name),
    isLeft,
    now: () => clock.now(),
  });
  approvals.usePrograms(programs.questions);
  /** Why a tool cannot be called now: its source is away. */
  const awayFor = async (tool: string, caller: Caller): Promise<AwayTool | undefined> => {
    await absent.lookFor(tool);
    const missing = base.has(tool) ? undefined : missingTool(tool, caller);
    return missing?.retryAfterMs === undefined ? undefined : { ...missing, retryAfterMs: missing.retryAfterMs };
  };
  const jobs = createJobs({
    store: inner,
    awayFor,
    awaySources: (tool) => (base.has(tool) ? [] : absent.sources()),
    sharedKey: state.sharedKey,
    showInput: state.showInput,
    registry: base,
    keys: state.keys,
    unfinished,
    limits: { inputKeys, ...config.jobs },
    startup: config.startup,
    startedAt: clock.now(),
    ownName: () => lease.name,
    start: (tool, input, given) => localCalls.start(tool, input, given),
    running: (callId) => localCalls.get(callId),
    goesOn: isAgent,
    onStoreFailed: state.storeWatch.failed,
    ...(leaseTimes?.lostDelaysMs && { lostDelaysMs: leaseTimes.lostDelaysMs }),
    log,
    now: () => clock.now(),
  });
  const tasks = createTaskManager({
    tasks: state.tasks,
    jobs,
    registry: base,
    unfinished,
    ownName: () => lease.name,
    onStoreFailed: state.storeWatch.failed,
    log,
  });
  const leases = { lost: 0, taken: 0 };
  closers.add(lease.onLoss(() => void (leases.lost += 1)));
  servers.describe("leases", () => ({ ...leases }));
  const sweptListeners: (() => Promise<void>)[] = [];
  const abandoned = followAbandoned({
    programs,
    store: inner,
    lease,
    calls,
    approvals,
    tasks,
    log,
    times: leaseTimes,
    onStoreFailed: state.storeWatch.failed,
    onBeat: () => jobs.look(),
    onTaken: () => void (leases.taken += 1),
    onSwept: async () => {
      for (const listener of sweptListeners) await listener();
    },
    onEnd: running.onEndElsewhere,
    onLost: (callId) => localCalls.get(callId)?.cancel(outOfContact),
  });
  closers.add(() => abandoned.close());
  await abandoned.sweep();
  let isClosing = false;
  let taking: Promise<void> | undefined;
  closers.add(async () => {
    isClosing = true;
    await taking?.catch(() => undefined);
  });
  return {
    registry: throughLocalCalls(base, localCalls, (source) =>
      actionGates.gate(overlays.over(grants.check(texts.through(trust.guard(seen.through(source)))))),
    ),
    overlays,
    grants,
    seen,
    actionGates,
    localCalls,
    running,
    callEnds,
    servers,
    trust,
    texts,
    programs,
    jobs,
    workerChecks,
    absent,
    missingTool,
    openBeside: (own) => createRegistry({ ...registryOptions, policy: settings.configuredPolicy, ...own }),
    onSwept: (listener) => void sweptListeners.push(listener),
    tasks,
    async takeOver() {
      if (isClosing) return;
      programs.begin();
      tasks.begin();
      if (programs.servers().length + (await tasks.servers()).length > 0) await (taking = abandoned.sweep());
    },
  };
}

/** Fields whose values are always hidden in results. */
const hiddenFields: readonly string[] = [
  "password",
  "passwd",
  "apikey",
  "api_key",
  "authorization",
  "access_token",
  "refresh_token",
  "client_secret",
  "private_key",
];

/** The same registry, with every call tracked by `localCalls`, also those that MCP and others make by `invoke`, and every source passed through `gate`. */
function throughLocalCalls(base: Registry, localCalls: LocalCalls, gate: (source: ToolSource) => ToolSource): Registry {
  const invoke: Registry["invoke"] = (tool, input, options = {}) => localCalls.start(tool, input, options).result;
  const callAll: Registry["callAll"] = (calls, { idempotencyKey, ...shared }: InvokeOptions = {}) => {
    // Each call of the batch has its own id and its own part of the key.
    const keyOf = (index: number): Pick<InvokeOptions, "idempotencyKey"> =>
      idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}/${index}` };
    return Promise.all(
      calls.map(async (call, index) => {
        const { name, input, callId = newCallId(), error } = call;
        if (error !== undefined) return (await base.callAll([call]))[0]!;
        return invoke(name, input, { ...shared, callId, ...keyOf(index) });
      }),
    );
  };
  const addSource: Registry["addSource"] = (source) => base.addSource(gate(source));
  return Object.create(base, { invoke: { value: invoke }, callAll: { value: callAll }, addSource: { value: addSource } }) as Registry;
}
