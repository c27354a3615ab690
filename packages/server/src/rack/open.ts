import path from "node:path";
import { type AnyTool, type BeforeCallHook, codeSource, type Logger, type RegistryOptions, ToolError } from "@toolrack/core";
import { type Clock, systemClock } from "@toolrack/core/node";
import { readAllowedHosts } from "@toolrack/fetch/internal";
import { type Handler, recordSource, type RecordSource } from "@toolrack/store";
import type { RackConfig } from "../config/config.ts";
import { version } from "../version.ts";
import { describedAmong, problemAmong } from "./access/taken-name.ts";
import { followPolicyWarnings } from "./access/policy-warnings.ts";
import { openCluster } from "./cluster/open-cluster.ts";
import { agentSource } from "./agents/agent-source.ts";
import { createAgents } from "./agents/create-agents.ts";
import { createPackParts } from "./packs/pack-parts.ts";
import { createSessionsOpener } from "./agents/sessions-host.ts";
import { createClosers } from "./util/closers.ts";
import { withSearchedSources } from "./tools/listed-tools.ts";
import { guardCode } from "./files/code-in-workspace.ts";
import { forgetVariables, secretVariables } from "./keys-and-tokens/forget-variables.ts";
import { whenKeysEnd } from "./keys-and-tokens/when-keys-end.ts";
import type { LeaseTimes } from "./cluster/lease.ts";
import { createMcpPages } from "./mcp/result-pages.ts";
import { createMcpSessions } from "./mcp/sessions.ts";
import { createOwnAddressCheck } from "./util/own-address.ts";
import { tellProblems } from "./settings/tell-problems.ts";
import { openConfig } from "./settings/open-config.ts";
import { openRegistry } from "./open-registry.ts";
import type { Tracing } from "./calls/tracing.ts";
import { openState } from "./open-state.ts";
import { locateStore } from "./store/open-store.ts";
import { listOwnFiles } from "./files/own-files.ts";
import { noteRefusedPrograms } from "./tools/isolation.ts";
import { idlePackProblems, lackingPackOf } from "./packs/pack-tools.ts";
import { openPacks } from "./packs/packs.ts";
import type { Rack } from "./rack.ts";
import { openAutomation } from "./automation/open-automation.ts";
import { type CallFeed, createCallFeed } from "./calls/call-feed.ts";
import { hasEnded, type ServerName } from "./cluster/server-name.ts";
import { noModules } from "./modules/loaded-modules.ts";
import { listRunningCode, warningOfRunningCode } from "./files/running-code.ts";
import { processKind } from "./programs/kinds/process.ts";
import { programKinds } from "./programs/kinds/program-kinds.ts";
import { builtInOrigin } from "./sources/built-in-origin.ts";
import { createSourceManager } from "./sources/sources.ts";
import { runCodeName } from "./programs/run-code.ts";
import { withPrograms } from "./programs/with-programs.ts";
import { privateHostOf } from "./tools/private-host.ts";
import { tellStart } from "./tools/start-progress.ts";
import { toolGovernedAs } from "./tools/governed-as.ts";
import { switchProblems } from "./tools/switch-problems.ts";
import { listWritable } from "./files/writable.ts";

export interface OpenRackOptions {
  /** The configuration: the path of a file, which is watched, or an object. @default `toolrack.config.yaml` in `folder`, if it exists */
  readonly config?: string | RackConfig;
  /** The base of relative paths if there is no file. @default the working directory */
  readonly folder?: string;
  /** Further tools, in addition to packs, records and sources. */
  readonly tools?: readonly AnyTool[];
  /** Handlers that stored definitions refer to. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** Whether sources are started and modules loaded. False: their tools are missing, and no code named by the file runs. @default true */
  readonly startSources?: boolean;
  /** Whether every valid change of the file takes effect without approval, also one that runs code. @default false */
  readonly followConfig?: boolean;
  /** Whether the tools of modules are loaded anew when a file of theirs changes. For development: `toolrack dev` sets it. @default false */
  readonly reloadModules?: boolean;
  /** @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Whether environment variables with secrets of the server are removed from this process after they were read, so that neither programs
   * nor tools find them. @default false; `toolrack serve` sets it
   */
  readonly forgetsSecretVariables?: boolean;
  /** @default nothing is logged */
  readonly log?: Logger;
  /** The name that this server begins with. @default a new one */
  readonly serverName?: ServerName;
  /** Called when the configuration was read, and nothing else is open; without a file, with undefined. */
  onConfigured?(file: string | undefined): void;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** How often this server reports that it is alive, and how long others wait for that. For tests; must be equal on all servers of a store. */
  readonly leaseTimes?: LeaseTimes;
  /** Further options of the registry: services, hooks, wrappers, capabilities. */
  readonly registry?: Pick<
    RegistryOptions,
    "services" | "closeServices" | "capabilities" | "hooks" | "wrappers" | "outputValidation" | "repairInputs"
  >;
}

/** Opens everything of a server but HTTP: store, registry with all sources, settings, approvals, keys. Throws CONFIG_INVALID for an invalid file. */
export async function openRack(options: OpenRackOptions = {}): Promise<Rack> {
  const { log = silence, environment = process.env, clock = systemClock } = options;
  const startSources = options.startSources ?? true;
  const startedAt = clock.now();
  const closers = createClosers((error) => log.error("A component could not be closed.", { error: String(error) }));
  try {
    const source = await openConfig({
      config: options.config,
      folder: options.folder ?? process.cwd(),
      log,
      onConfigured: options.onConfigured,
      clock: options.clock,
    });
    closers.add(source.close);
    const { config, file } = source.start;
    const isFromFile = typeof options.config !== "object" && source.start.text !== "";
    const folder = path.dirname(file);
    const storeLocation = locateStore({ config: config.store, folder, environment });
    const root = path.resolve(folder, config.workspace ?? defaultWorkspace);
    const writable = listWritable(config.tools?.packs, root);
    const code = listRunningCode(folder, writable);
    const codeWarning = warningOfRunningCode(code);
    if (codeWarning !== undefined) log.warn(codeWarning);
    const ownFiles = listOwnFiles({
      config,
      code,
      configFile: typeof options.config === "string" ? file : undefined,
      folder,
      store: storeLocation,
      environment,
    });
    const now = (): number => clock.now();
    const state = await openState({
      source,
      followConfig: options.followConfig ?? false,
      environment,
      log,
      clock: options.clock,
      closers,
      now,
      serverName: options.serverName,
    });
    if (options.forgetsSecretVariables) forgetVariables(secretVariables(config));
    const {
      store,
      secrets,
      configs,
      calls,
      recording,
      audit,
      retention,
      settings,
      configChanges,
      approvals,
      drafts,
      keys,
      ownerToken,
      sharedKey,
      feed,
      storeWatch,
    } = state;
    const guard = guardCode({ config, root, writable, folder, ownFiles });
    const specifiers = startSources ? (config.tools?.modules ?? []) : [];
    const modules = specifiers.length === 0 ? noModules : await (await import("./modules/load-modules.ts")).loadModules(specifiers, folder);
    for (const [module, error] of modules.failed) {
      if (config.tools?.requireModules === true)
        throw new ToolError("CONFIG_INVALID", `${error} tools.requireModules is true, so the server does not start without it.`);
      log.error(error, { module });
    }
    const pluginsConfig = startSources ? config.tools?.plugins : undefined;
    const plugins =
      pluginsConfig && (await (await import("./modules/load-plugins.ts")).openPlugins(pluginsConfig, folder, log, options.tools ?? []));
    const tracing: Tracing = {};
    const stored: { source?: RecordSource } = {};
    // The registry is there before this source.
    const definitionFaults: Rack["definitionFaults"] = () => stored.source?.faults() ?? new Map();
    const reranker =
      config.search?.embeddings && (await import("./tools/open-reranker.ts")).openReranker(config.search.embeddings, { secrets, log });
    const {
      registry,
      actionGates,
      overlays,
      grants,
      seen,
      localCalls,
      running,
      callEnds,
      servers,
      trust,
      texts,
      programs,
      tasks,
      takeOver,
      onSwept,
      jobs,
      workerChecks,
      absent,
      missingTool,
      openBeside,
    } = await openRegistry({
      tracing,
      definitionFaults,
      reranker,
      state,
      config,
      root,
      folder,
      ownFiles,
      log,
      clock,
      closers,
      more: plugins === undefined ? options.registry : withHooks(options.registry, plugins.hooks),
      leaseTimes: options.leaseTimes,
      wrappers: modules.wrappers,
    });
    const agents = createAgents({
      store: state.inner,
      sharedKey,
      feed,
      keys,
      secrets,
      registry,
      unfinished: { calls, toolOf: (name) => registry.get(name), mayRunUnrecorded: config.audit?.onFailure === "warn" },
      ownName: () => state.lease.name,
      runningCall: (callId) => localCalls.get(callId),
      agents: () => settings.config().agents,
      isAsking: async (id) => (await approvals.fetch(id)) !== undefined,
      onStoreFailed: storeWatch.failed,
      log,
      clock,
    });
    const hasStarted = tellStart(registry, log);
    closers.add(hasStarted);
    approvals.useAgents(agents.questions);
    onSwept(agents.sweep);

    const ownPorts = new Set<number>();
    const isOwnAddress = createOwnAddressCheck(ownPorts, config.server?.publicUrl);
    const fetch = { allowHosts: config.tools?.records?.allowHosts ?? [], allowHostsKey: "tools.records.allowHosts", isOwnAddress };
    const kinds = [
      ...programKinds({ programs, registry, lackingPackOf: (tool) => lackingPackOf(tool, config.tools?.packs) }),
      processKind({ processes: config.tools?.records?.processes, hidden: ownFiles }),
      ...modules.kinds,
    ];
    const records = (stored.source = recordSource(store, {
      handlers: options.handlers ?? {},
      kinds,
      fetch,
      isDescription: describedAmong(registry),
    }));
    const findingsOf: Rack["definitionFindings"] = async (definition) => {
      const { findingsInStored } = await import("./programs/kinds/stored-findings.ts");
      return findingsInStored(definition, { among: registry.list(), accept: config.scan?.accept ?? [] });
    };
    const packParts = createPackParts({ feed, settings, secrets, audit, isOwnAddress, now });
    const packs = await openPacks({
      packs: config.tools?.packs,
      added: startSources ? modules.packs : undefined,
      failedModules: modules.failed,
      ...(isFromFile && { originOf: source.start.originOf }),
      root,
      ownFiles,
      store,
      registry,
      definitions: { ...records, findingsOf },
      programs,
      ...(reranker && { reranker }),
      sessions: (limits) => createSessionsOpener({ agents, registry, clock, showInput: state.showInput }, limits),
      ...packParts.context,
      onProblem: (problem) => log.warn(problem),
      onCallersEnd: (listener) => closers.add(whenKeysEnd(keys, now, listener)),
    });
    closers.add(packs.close);
    await registry.addSource(codeSource("tools", options.tools ?? []));
    await registry.addSource(codeSource("packs", packs.tools));
    for (const [name, tools] of packs.added) await registry.addSource(codeSource(`pack:${name}`, tools));
    for (const plugin of plugins?.sources ?? []) await registry.addSource(plugin);
    noteRefusedPrograms(
      config,
      registry.entries().map(({ tool }) => tool),
    );
    if (specifiers.length > 0) {
      const { moduleSource } = await import("./modules/module-source.ts");
      const reloads = { count: 0 };
      for (const specifier of specifiers) await registry.addSource(moduleSource(specifier, folder, modules, reloads));
      if (options.reloadModules === true) {
        const { reloadChangedModules } = await import("./modules/reload-modules.ts");
        closers.add(reloadChangedModules({ specifiers, folder, modules, reloads, refresh: registry.refreshSource, log }));
      } else {
        const { warnOfChangedModules } = await import("./modules/module-changes.ts");
        closers.add(warnOfChangedModules(specifiers, folder, log));
      }
    }
    await registry.addSource(records);
    let searchOpened: Promise<unknown> | undefined;
    const openSearch = async (): Promise<void> => {
      if (config.tools?.packs?.search === false || registry.has("search_tools")) return;
      const { createMetaTools } = await import("@toolrack/core/search");
      await (searchOpened ??= registry.addSource(codeSource("search", createMetaTools(registry, reranker && { reranker }))));
    };
    const sources = createSourceManager({
      sharedKey,
      workerChecks,
      tracing,
      registry,
      feed,
      secrets,
      log,
      audit,
      folder,
      configured: settings.sources,
      modules,
      mayStart: startSources,
      originOf: builtInOrigin(source.start),
      faultOf: guard.sourceFault,
      isOwnAddress,
      clock,
      held: () => trust.waiting().filter(({ what, effect }) => what === "tool" && effect === "held"),
      isAsSeen: trust.isAsSeen,
      openSearch: () => openSearch(),
      now,
    });
    closers.add(sources.close);
    absent.gather(sources.gathered);

    let agentsAdded: Promise<unknown> | undefined;
    const addAgents = async (): Promise<void> => {
      if (agents.list().length > 0)
        await (agentsAdded ??= registry.addSource(
          agentSource({ agents, jobs, approvals, askClients: config.approvals?.askClients ?? false, subscribe: settings.subscribe }),
        ));
    };
    await addAgents();
    closers.add(settings.subscribe(() => void addAgents()));

    const policyWarnings = followPolicyWarnings({ registry, settings, keys, sources, log });
    closers.add(() => policyWarnings.close());
    const useSettings = (): void => {
      registry.setPolicy(settings.configuredPolicy);
      actionGates.apply();
      overlays.apply();
      trust.apply();
      registry.setDisabled(settings.disabled());
      approvals.endRefused((tool, caller) =>
        registry.view(caller).offered(tool) === undefined ? registry.explain(tool, caller).sentences.join(" ") : undefined,
      );
      const applied = sources.apply();
      if (startSources) void applied.then(() => trust.archiveRemoved());
      policyWarnings.check();
    };
    useSettings();
    closers.add(settings.subscribe(useSettings));
    closers.add(configChanges.subscribe(({ agreedSources, by }) => void sources.agree(agreedSources, by)));
    source.follow(configChanges.take, configChanges.withdraw);

    const cluster = await openCluster({
      state,
      servers,
      sources,
      jobs,
      file: storeLocation.file,
      log,
      closers,
      now,
    });

    let callFeed: CallFeed | undefined;
    closers.add(() => callFeed?.close());
    const automation = openAutomation({
      store,
      inner: state.inner,
      sharedKey,
      showInput: state.showInput,
      feed,
      secrets,
      registry,
      away: {
        learn: absent.learn,
        has: (tool, caller) => missingTool(tool, caller)?.retryAfterMs !== undefined,
      },
      keys,
      callJobs: () => jobs,
      queue: jobs.queue,
      callFeed: () => (callFeed ??= createCallFeed({ calls, registry })),
      worker: { holder: () => state.lease.name, hasEnded, ...options.leaseTimes },
      file: isFromFile ? path.basename(file) : "options",
      allowHosts: config.hooks?.allowHosts ?? [],
      ...(config.hooks?.timeoutMs !== undefined && { timeoutMs: config.hooks.timeoutMs }),
      isOwnAddress,
      audit,
      log,
      clock,
      onStoreFailed: storeWatch.failed,
      // A clock that never goes back would keep the hours of a machine whose clock was wrong at the start.
      now: options.clock === undefined ? Date.now : now,
    });
    closers.add(() => automation.close());
    const problems = (): readonly string[] => [
      ...idlePackProblems(config.tools?.packs),
      ...actionGates.problems((name) => toolGovernedAs(registry, name)),
      ...switchProblems(registry, settings.disabled()),
      ...overlays.problems(),
      ...automation.problems(),
    ];
    if (startSources) closers.add(tellProblems({ settings, ready: sources.ready, log, find: problems }));
    const proposals = packParts.use({ schedules: automation.schedules, jobs, sources });

    await trust.settled();
    void sources.ready().then(hasStarted);
    if (startSources) {
      const begin = async (): Promise<void> => {
        await takeOver();
        await jobs.begin();
        await agents.begin();
        closers.add(settings.subscribe(() => void automation.useConfig(settings.config())));
        await automation.useConfig(settings.config());
        automation.begin();
      };
      void Promise.resolve(sources.gathered()).then(begin).catch(storeWatch.failed);
    }
    const searched = withSearchedSources(registry, sources.searched);
    const listed = registry.has(runCodeName) ? await withPrograms(searched, registry, calls) : searched;
    return {
      registry,
      openBeside,
      absent,
      programs,
      jobs,
      agents,
      automation,
      showInput: state.showInput,
      proposals,
      canvases: packParts.canvases,
      trust,
      texts,
      listed,
      ...(reranker && { reranker }),
      store,
      definitionProblem: problemAmong(registry, records),
      definitionKinds: records.kinds,
      definitionFaults,
      definitionFindings: findingsOf,
      privateHostOf: (definition) => privateHostOf(definition, readAllowedHosts(fetch.allowHosts)),
      configs,
      secrets,
      calls,
      recording,
      running,
      callEnds,
      storeWatch,
      feedLagMs: () => Math.max(feed.lagMs(), storeWatch.awayMs),
      servers,
      ...cluster,
      masterKey: state.masterKey,
      approvals,
      settings,
      overlays,
      grants,
      seen,
      policyWarnings,
      configChanges,
      keys,
      ownerToken,
      sharedKey,
      tasks,
      mcpPages: createMcpPages({ feed, sharedKey, log }),
      mcpSessions: createMcpSessions({ feed, sharedKey, log, maxPerOwner: config.server?.limits?.sessionsPerCaller }),
      sources,
      tracing,
      modules,
      drafts,
      audit,
      retention,
      log,
      clock,
      config,
      startedAt,
      ownPorts,
      version,
      call: localCalls.start,
      async close({ graceMs = 10_000 } = {}) {
        await Promise.all([jobs.close(graceMs), agents.close(graceMs), localCalls.drain(graceMs, tasks.handOver)]);
        await closers.close();
      },
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

function withHooks(more: OpenRackOptions["registry"], before: readonly BeforeCallHook[]): OpenRackOptions["registry"] {
  return { ...more, hooks: { ...more?.hooks, before: [...(more?.hooks?.before ?? []), ...before] } };
}

/** A folder of its own next to the configuration, so that it contains nothing but files for tools. */
const defaultWorkspace = "workspace";

/** `takes` returns false, so that no lines are built. */
const silence: Logger & { takes(): boolean } = {
  takes: () => false,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
