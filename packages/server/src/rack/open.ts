import path from "node:path";
import { type AnyTool, type Clock, codeSource, type Logger, type RegistryOptions, systemClock } from "@toolrack/core";
import { type Handler, recordSource } from "@toolrack/store";
import type { RackConfig } from "../config/config.ts";
import { version } from "../version.ts";
import { createClosers } from "./closers.ts";
import { openConfig } from "./open-config.ts";
import { openRegistry } from "./open-registry.ts";
import { openState } from "./open-state.ts";
import { openPacks } from "./packs.ts";
import type { Rack } from "./rack.ts";
import { createSourceDesk } from "./sources.ts";
import { createTaskRecords } from "./tasks.ts";
import { keepSwitches } from "./tool-switches.ts";

export interface OpenRackOptions {
  /** The configuration: a file, which is followed, or what it would say. @default `toolrack.config.yaml` in `folder`, where there is one */
  readonly config?: string | RackConfig;
  /** Where relative paths start while there is no file. @default the working directory */
  readonly folder?: string;
  /** Tools of your own, beside the packs, the records and the sources. */
  readonly tools?: readonly AnyTool[];
  /** Handlers that stored definitions refer to. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** Whether the sources of the configuration are started; without them their tools are not there. @default true */
  readonly startSources?: boolean;
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
  const { log = silence, environment = process.env, clock = systemClock } = options;
  const startedAt = clock.now();
  const closers = createClosers((error) => log.error("Something did not close.", { error: String(error) }));
  try {
    const source = await openConfig(options.config, options.folder ?? process.cwd(), log);
    closers.add(source.close);
    const { config, file } = source.start;
    const folder = path.dirname(file);
    const now = (): number => clock.now();
    const state = await openState({ source, environment, log, clock: options.clock, closers, now });
    const { store, secrets, configs, calls, audit, settings, approvals, drafts, keys, sharedKey, feed } = state;
    const { registry, desk, running, callEnds, root } = await openRegistry({
      state,
      config,
      folder,
      log,
      clock,
      closers,
      more: options.registry,
    });

    const packs = await openPacks({ packs: config.tools?.packs, root, store, registry });
    closers.add(packs.close);
    await registry.addSource(codeSource("tools", options.tools ?? []));
    await registry.addSource(codeSource("packs", packs.tools));
    for (const specifier of config.tools?.modules ?? []) {
      const { moduleSource } = await import("./modules.ts");
      await registry.addSource(moduleSource(specifier, folder));
    }
    await registry.addSource(recordSource(store, { handlers: options.handlers ?? {} }));
    const sources = createSourceDesk({
      registry,
      feed,
      secrets,
      log,
      audit,
      folder,
      configured: settings.sources,
      mayStart: options.startSources ?? true,
      now,
    });
    closers.add(sources.close);

    const switches = keepSwitches(registry, settings.disabled);
    closers.add(switches.close);
    const useSettings = (): void => {
      registry.setPolicy(settings.configuredPolicy);
      switches.apply();
      void sources.apply();
    };
    useSettings();
    closers.add(settings.subscribe(useSettings));
    source.follow(settings.useFile);

    return {
      registry,
      store,
      configs,
      secrets,
      calls,
      running,
      callEnds,
      approvals,
      settings,
      keys,
      sharedKey,
      tasks: createTaskRecords(feed, config.server?.limits?.tasksPerCaller),
      sources,
      drafts,
      audit,
      log,
      config,
      startedAt,
      version,
      call: desk.start,
      async close({ graceMs = 10_000 } = {}) {
        await desk.drain(graceMs);
        await closers.close();
      },
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

const silence: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
