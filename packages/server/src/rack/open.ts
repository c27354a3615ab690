import path from "node:path";
import {
  type AnyTool,
  type Clock,
  codeSource,
  createCapabilities,
  createRegistry,
  type Logger,
  type InvokeOptions,
  type Registry,
  type RegistryOptions,
  systemClock,
  type ToolResult,
} from "@toolrack/core";
import { createCallLog, createConfigs, createSecrets, type Handler, recordSource } from "@toolrack/store";
import { unavailableCapabilities } from "@toolrack/tools";
import type { RackConfig } from "../config/config.ts";
import { followAbandoned } from "./abandoned.ts";
import { version } from "../version.ts";
import { createApprovals } from "./approvals.ts";
import { chooseApprover } from "./approver.ts";
import { createAudit } from "./audit.ts";
import { createDrafts } from "./drafts.ts";
import { createSharedIdempotency } from "./idempotency.ts";
import { createKeys } from "./keys.ts";
import { moduleSource } from "./modules.ts";
import { openConfig } from "./open-config.ts";
import { openMasterKey } from "./master-key.ts";
import { openStore } from "./open-store.ts";
import { openPacks } from "./packs.ts";
import type { Rack } from "./rack.ts";
import { followRecords } from "./records.ts";
import { keepRetention } from "./retention.ts";
import { type CallDesk, createCallDesk, newCallId } from "./running.ts";
import { takeServerName } from "./server-name.ts";
import { createSettings } from "./settings.ts";
import { createSourceDesk } from "./sources.ts";
import { keepSwitches } from "./tool-switches.ts";
import { createSharedCalls } from "./waiting.ts";

export interface OpenRackOptions {
  /** The configuration: a file, which is followed, or what it would say. @default `toolrack.config.yaml` in `folder`, where there is one */
  readonly config?: string | RackConfig;
  /** Where relative paths start while there is no file. @default the working directory */
  readonly folder?: string;
  /** Tools of your own, beside the packs, the records and the sources. */
  readonly tools?: readonly AnyTool[];
  /** Handlers that stored definitions refer to. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** @default silence */
  readonly log?: Logger;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** More for the registry: services, hooks, capabilities. */
  readonly registry?: Pick<RegistryOptions, "services" | "closeServices" | "capabilities" | "hooks" | "outputValidation" | "repairInputs">;
}

/** Puts a Toolrack together: store, registry over all its sources, settings, approvals, keys. Throws CONFIG_INVALID for a wrong file. */
export async function openRack(options: OpenRackOptions = {}): Promise<Rack> {
  const log = options.log ?? silence;
  const clock = options.clock ?? systemClock;
  const environment = options.environment ?? process.env;
  const startedAt = clock.now();
  const opened: (() => unknown)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    const source = openConfig(options.config, options.folder ?? process.cwd(), log, (next) => settings.useFile(next));
    opened.push(source.close);
    const { config } = source.start;
    const folder = path.dirname(source.start.file);
    const { store, folder: dataFolder } = await openStore({
      config: config.store,
      folder,
      environment,
      ...(options.clock && { clock: options.clock }),
    });
    opened.push(() => store.close());
    // What decides over the server itself has an owner of its own: no role in the API reaches these records.
    const inner = store.as({ owner: "toolrack-server", agent: "server", roles: ["curator"] });
    const feed = await followRecords(inner, (error) =>
      log.error("What the servers share could not be followed.", { error: String(error) }),
    );
    opened.push(() => feed.close());
    const keys = openMasterKey({ environment, log, ...(dataFolder !== undefined && { file: path.join(dataFolder, "master.key") }) });
    const secrets = await createSecrets(store, { keys });
    opened.push(() => secrets.close());
    const configs = await createConfigs(store);
    opened.push(() => configs.close());
    const fields = config.redaction?.fields ?? [];
    const server = takeServerName();
    opened.push(server.release);
    const calls = createCallLog(store, { server: server.name, redaction: { fields, values: () => secrets.seenValues() } });
    const retention = keepRetention(store, config.audit ?? {}, log);
    opened.push(() => retention.close());
    const audit = createAudit(calls, () => clock.now());
    const settings = createSettings({
      feed,
      file: source.start,
      log,
      audit,
      fileProblems: source.problems,
      reload: source.reload,
    });
    const approvals = createApprovals({
      feed,
      log,
      audit,
      server: server.name,
      waitMs: config.approvals?.waitMs ?? 600_000,
      sessionMs: config.approvals?.sessionMs ?? 86_400_000,
      now: () => clock.now(),
    });
    const drafts = createDrafts({ feed, settings, audit, now: () => clock.now() });
    const apiKeys = createKeys({ feed, audit, now: () => clock.now() });
    const workspace = config.workspace === undefined ? undefined : { root: path.resolve(folder, config.workspace) };
    const base = createRegistry({
      ...options.registry,
      config: configs,
      secrets,
      recorder: calls,
      approver: chooseApprover({ desk: approvals, askClients: config.approvals?.askClients ?? false }),
      capabilities: options.registry?.capabilities ?? createCapabilities({ checks: unavailableCapabilities }),
      clock,
      log,
      redaction: { fields: [...hiddenFields, ...fields], values: () => secrets.seenValues() },
      ...(workspace && { workspace }),
      ...(config.limits && { limits: config.limits }),
    });
    opened.push(() => base.close());

    const desk = createCallDesk(invoke, (callId) => running.onEnd(callId));
    const running = createSharedCalls({ feed, desk, calls, log, asking: () => approvals.list() });
    const abandoned = await followAbandoned({
      store: inner,
      server: server.name,
      calls,
      approvals,
      log,
      onEnd: (callId) => running.onEnd(callId),
    });
    opened.push(() => abandoned.close());
    await abandoned.sweep();
    const idempotency = createSharedIdempotency(inner);
    function invoke(
      tool: string,
      input: unknown,
      { idempotencyKey: key, ...rest }: InvokeOptions & { readonly callId: string },
    ): Promise<ToolResult> {
      if (key === undefined) return base.invoke(tool, input, rest);
      const keyed = { key, tool, input, caller: rest.caller ?? {}, callId: rest.callId, ...(rest.signal && { signal: rest.signal }) };
      return idempotency.once(keyed, () => base.invoke(tool, input, rest));
    }
    const registry = withDesk(base, desk);

    const switches = keepSwitches(registry, () => settings.disabled());
    opened.push(switches.close);
    await registry.addSource(codeSource("tools", options.tools ?? []));
    const packs = openPacks({ packs: config.tools?.packs, root: workspace?.root ?? folder, store });
    opened.push(() => packs.close());
    await registry.addSource(codeSource("packs", packs.tools));
    for (const specifier of config.tools?.modules ?? []) await registry.addSource(moduleSource(specifier, folder));
    await registry.addSource(recordSource(store, { handlers: options.handlers ?? {} }));
    const sources = createSourceDesk({
      registry,
      feed,
      secrets,
      log,
      audit,
      folder,
      configured: () => settings.sources(),
      now: () => clock.now(),
    });
    opened.push(() => sources.close());
    const useSettings = (): void => {
      base.setPolicy(settings.configuredPolicy);
      switches.apply();
      void sources.apply();
    };
    useSettings();
    opened.push(settings.subscribe(useSettings));

    const rack: Rack = {
      registry,
      store,
      configs,
      secrets,
      calls,
      running,
      approvals,
      settings,
      keys: apiKeys,
      sources,
      drafts,
      audit,
      log,
      config,
      startedAt,
      version,
      call: (tool, input, callOptions) => desk.start(tool, input, callOptions),
      async close({ graceMs = 10_000 } = {}) {
        await desk.drain(graceMs);
        await closeAll();
      },
    };
    return rack;
  } catch (error) {
    await closeAll().catch(() => undefined);
    throw error;
  }
}

/** Fields whose values never leave in a result, whatever the configuration says. */
const hiddenFields = [
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

/** The same registry, whose calls are all known to the desk: also those that MCP and others make by `invoke`. */
function withDesk(base: Registry, desk: CallDesk): Registry {
  return Object.create(base, {
    invoke: { value: (tool: string, input: unknown, options: InvokeOptions = {}) => desk.start(tool, input, options).result },
    callAll: {
      value: (calls: Parameters<Registry["callAll"]>[0], { idempotencyKey, ...shared }: Omit<InvokeOptions, "callId"> = {}) =>
        Promise.all(
          calls.map(
            ({ name, input, callId }, index) =>
              desk.start(name, input, {
                ...shared,
                callId: callId ?? newCallId(),
                ...(idempotencyKey !== undefined && { idempotencyKey: `${idempotencyKey}/${index}` }),
              }).result,
          ),
        ),
    },
  }) as Registry;
}

const silence: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
