import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger, Registry } from "@toolrack/core";
import { findUnknownNames, type PolicyWarning } from "@toolrack/core/policy";
import type { ApiKeys, PolicyWarnings, Settings, Sources } from "../rack.ts";
import { knownCallers } from "./agent-facts.ts";

export interface PolicyWarningsOptions {
  readonly registry: Pick<Registry, "view" | "revision" | "list">;
  readonly settings: Pick<Settings, "agents" | "get" | "policy" | "configuredPolicy">;
  readonly keys: Pick<ApiKeys, "list">;
  readonly sources: Pick<Sources, "ready">;
  readonly log: Logger;
}

export interface FollowedPolicyWarnings extends PolicyWarnings {
  /** Logs what is new, once the sources are read: until then, a name of theirs would be taken for a mistake. */
  check(): void;
  close(): void;
}

export function followPolicyWarnings({ registry, settings, keys, sources, log }: PolicyWarningsOptions): FollowedPolicyWarnings {
  let found: { readonly key: string; readonly policy: unknown; readonly warnings: Promise<readonly PolicyWarning[]> } | undefined;
  let logged: ReadonlySet<string> = new Set();
  let checking: Promise<void> = Promise.resolve();
  let isClosed = false;

  async function list(): Promise<readonly PolicyWarning[]> {
    const callers = await knownCallers({ settings, keys });
    const policy = settings.configuredPolicy;
    const key = JSON.stringify([registry.revision, callers]);
    if (found?.key !== key || found.policy !== policy) found = { key, policy, warnings: find(callers) };
    return found.warnings;
  }

  async function find(callers: Awaited<ReturnType<typeof knownCallers>>): Promise<readonly PolicyWarning[]> {
    const distinct = new Map<string, PolicyWarning>();
    for (const [index, caller] of callers.entries()) {
      // There may be thousands of agents, and requests come first.
      if (index > 0 && index % viewsPerTurn === 0) await nextTurn();
      if (isClosed) break;
      for (const warning of registry.view(caller).warnings) distinct.set(warning.message, warning);
    }
    // The lists that no caller has as such: of channels, phases, sandboxes, spawned agents, groups and profiles.
    for (const warning of findUnknownNames(settings.policy, registry.list()))
      if (!distinct.has(warning.message)) distinct.set(warning.message, warning);
    return [...distinct.values()];
  }

  async function checkNow(): Promise<void> {
    await sources.ready();
    if (isClosed) return;
    const warnings = await list();
    for (const { kind, label, message } of warnings) if (!logged.has(message)) log.warn(message, { kind, label });
    logged = new Set(warnings.map(({ message }) => message));
  }

  return {
    list,
    check() {
      checking = checking.then(checkNow).catch((error: unknown) => {
        if (!isClosed) log.error("The policy could not be checked for mistakes.", { error: String(error) });
      });
    },
    async settled() {
      await checking;
    },
    close() {
      isClosed = true;
    },
  };
}

const viewsPerTurn = 20;
