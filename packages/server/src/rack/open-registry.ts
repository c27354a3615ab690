import {
  type AddedWrapper,
  createRegistry,
  type InvokeOptions,
  type Logger,
  type Registry,
  type RegistryOptions,
  type ToolSource,
} from "@toolrack/core";
import { type Clock, createCapabilities } from "@toolrack/core/node";
import { unavailableCapabilities } from "@toolrack/tools";
import type { RackConfig } from "../config/config.ts";
import { followAbandoned } from "./calls/abandoned.ts";
import { chooseApprover } from "./approvals/choose-approver.ts";
import { type CallEnds, tellEnds } from "./calls/call-ends.ts";
import { newCallId } from "./calls/call-id.ts";
import type { Closers } from "./util/closers.ts";
import { retentionOf } from "../config/retention.ts";
import { createSharedIdempotency } from "./calls/idempotency.ts";
import { type ActionGates, createActionGates } from "./tools/action-gates.ts";
import { createResultScan } from "./tools/result-scan.ts";
import { programChecks, withProgramChecks } from "./tools/isolation.ts";
import type { LeaseTimes } from "./cluster/lease.ts";
import type { RackState } from "./open-state.ts";
import type { RunningCalls } from "./rack.ts";
import { type LocalCalls, createLocalCalls, type Invoke } from "./calls/local-calls.ts";
import { createServers, type Servers } from "./cluster/servers.ts";
import { createGrants, type Grants } from "./trust/grants.ts";
import { logDefinitions } from "./trust/log-events.ts";
import { createSeenTools, type SeenTools } from "./trust/log-seen.ts";
import { createOverlays, type Overlays } from "./trust/overlays.ts";
import { createSharedCalls } from "./calls/shared-calls.ts";
import type { Tracing } from "./calls/tracing.ts";
import { createTrust } from "./trust/create-trust.ts";
import { heldAnswer } from "./trust/held-answer.ts";
import type { Trust } from "./trust/trust.ts";

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
}

export interface OpenRegistryOptions {
  readonly state: RackState;
  readonly config: RackConfig;
  /** The workspace. */
  readonly root: string;
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
}

export async function openRegistry(options: OpenRegistryOptions): Promise<RackRegistry> {
  const { state, config, root, ownFiles, log, clock, closers, more, leaseTimes, tracing } = options;
  const { configs, secrets, calls, recording, approvals, feed, inner, lease, settings, tasks } = state;
  const { outputValidation, repairInputs } = config.tools ?? {};
  const callEnds = tellEnds(recording.recorder);
  const actionGates = createActionGates(settings.disabledActions);
  const servers = createServers(inner, lease);
  const trust = createTrust({
    store: state.store,
    feed,
    log,
    server: lease,
    liveServers: async () => (await servers.list()).filter(({ status }) => status === "active").map(({ name }) => name),
    sources: settings.sources,
    config: () => settings.config().trust,
    logDefinitions,
    now: () => clock.now(),
  });
  closers.add(() => trust.close());
  const approver = chooseApprover({ approvals, askClients: config.approvals?.askClients ?? false });
  const resultScan = createResultScan({
    config: () => settings.config().scan,
    sourceOf: (tool) => base.entries().find((entry) => entry.tool.name === tool)?.source,
    approver,
    audit: state.audit,
  });
  const base: Registry = createRegistry({
    ...more,
    missingTool: (name, caller) => heldAnswer({ trust, registry: base, overlays }, name, caller),
    wrappers: [actionGates.wrapper, resultScan, ...(more?.wrappers ?? []), ...options.wrappers],
    config: configs,
    secrets,
    recorder: callEnds.recorder,
    approver,
    capabilities: more?.capabilities
      ? withProgramChecks(more.capabilities)
      : createCapabilities({ checks: { ...unavailableCapabilities, ...programChecks } }),
    clock,
    log,
    redaction: { fields: [...hiddenFields, ...(config.redaction?.fields ?? [])], values: () => secrets.seenValues() },
    workspace: { root, hidden: ownFiles },
    ...(config.limits && { limits: config.limits }),
    ...(outputValidation !== undefined && { outputValidation }),
    ...(repairInputs !== undefined && { repairInputs }),
    get traceCall() {
      return tracing.traceCall;
    },
  });
  closers.add(() => base.close());
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
    overlaid: state.overlaid,
    holderOf: (name) => base.entries().find(({ tool }) => tool.name === name)?.source,
    log,
  });

  const keepMs = retentionOf(config).answersHours * 3_600_000;
  const idempotency = createSharedIdempotency({
    store: inner,
    lease,
    keepMs,
    calls,
    toolOf: (name) => base.get(name),
    mayRunUnrecorded: config.audit?.onFailure === "warn",
  });
  const invokeOnce: Invoke = (tool, input, options) => {
    if (options.idempotencyKey === undefined) return base.invoke(tool, input, options);
    const { idempotencyKey: key, ...rest } = options;
    const { caller = {}, callId, signal } = rest;
    // The policy decides first: a hidden tool is refused by the call itself, and no stored answer is returned.
    if (base.view(caller).decision(base.get(tool)?.name ?? tool)?.allowed !== true) return base.invoke(tool, input, rest);
    return idempotency.once({ key, tool, input, caller, callId, ...(signal && { signal }) }, (lost) => {
      // Another server may have taken the key: a call that has not started must not start.
      const cancel = (): void => localCalls.get(callId)?.cancel(outOfContact);
      if (lost.aborted) cancel();
      else lost.addEventListener("abort", cancel, { once: true });
      return base.invoke(tool, input, rest);
    });
  };
  const invoke: Invoke = (tool, input, options) => {
    const arriving = abandoned.arrive();
    return arriving === undefined ? invokeOnce(tool, input, options) : arriving.then(() => invokeOnce(tool, input, options));
  };
  const localCalls = createLocalCalls(invoke, (callId) => running.onEnd(callId));
  approvals.onWaiting((callIds, notice) => localCalls.tellWaiting(callIds, notice));
  const running = createSharedCalls({ feed, local: localCalls, calls, ownName: () => lease.name, log, asking: () => approvals.list() });
  const abandoned = followAbandoned({
    store: inner,
    lease,
    calls,
    approvals,
    tasks,
    log,
    times: leaseTimes,
    onStoreFailed: state.storeWatch.failed,
    onEnd: running.onEnd,
    onLost: (callId) => localCalls.get(callId)?.cancel(outOfContact),
  });
  closers.add(() => abandoned.close());
  await abandoned.sweep();
  return {
    registry: throughLocalCalls(base, localCalls, (source) =>
      actionGates.gate(overlays.over(grants.check(trust.guard(seen.through(source))))),
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
  };
}

/** Why a call is cancelled after others recorded its end. */
const outOfContact = "The server was out of contact for longer than its lease, and the call was ended.";

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
