import { type Logger, ToolError } from "@toolrack/core";
import { shellWord } from "@toolrack/core/internal/shell-word";
import { validateValue } from "@toolrack/json-schema";
import { type Breadcrumb, StoreError } from "@toolrack/store";
import type { RackConfig, SourceConfig } from "../../config/config.ts";
import { agentNameRefused, nameFault } from "../../config/checks/name-fault.ts";
import type { ReadConfig } from "../../config/read.ts";
import { credentialRemedy, plainCredentialsIn, toShownSource } from "../../config/shown-source.ts";
import { type AgentConfig, agentFacts, agentSchema, findAgentFault } from "../../config/agents.ts";
import { bundleSchema, sourceSchema, switchSchema } from "../../config/schema.ts";
import { findSourceFault } from "../../config/checks/source-fault.ts";
import type { WriteAudit } from "../audit/audit.ts";
import { agentOf, type Author, type AuthorRole, roleOf } from "../audit/author.ts";
import { type MergedSettings, mergeSettings, type Override } from "./merge-settings.ts";
import type { Setting, Settings } from "../rack.ts";
import type { RecordFeed } from "../store/records.ts";
import { readSettingKey, settingId } from "./setting-keys.ts";

export interface SettingsManager extends Settings {
  /** Uses a changed file. Throws, and changes nothing, if it conflicts with the records. */
  useFile(next: ReadConfig): void;
  /** The configuration in force: the parts of the file that are in force, overridden by records. */
  config(): RackConfig;
  sources(): readonly ConfiguredSource[];
  /** Adds problems that only the registry can tell. */
  addProblems(find: () => readonly string[]): void;
  /** Calls the listener after every change. */
  subscribe(listener: () => void): () => void;
}

export interface ConfiguredSource {
  readonly id: string;
  readonly source: SourceConfig;
  readonly origin: string;
}

export interface SettingsManagerOptions {
  readonly feed: RecordFeed;
  readonly file: ReadConfig;
  readonly log: Logger;
  readonly audit: WriteAudit;
  /** The problems of the current file. */
  fileProblems(): readonly string[];
  /** Reads the file again. */
  reload(): Promise<void>;
}

/** Overrides the file by records. Each record is one key, so that simultaneous changes of different keys do not conflict. */
export function createSettingsManager(options: SettingsManagerOptions): SettingsManager {
  const { feed, log, audit } = options;
  const records = feed.of("toolrack.setting.v1");
  const listeners = new Set<() => void>();
  let file = options.file;
  let now: MergedSettings = mergeSettings(file, overrides());
  let problem: string | undefined;
  let otherProblems = (): readonly string[] => [];

  function overrides(): Map<string, Override> {
    return new Map([...records.values()].map((record) => [String(record.context["key"]), toOverride(record)]));
  }

  function use(next: MergedSettings): void {
    now = next;
    problem = undefined;
    for (const listener of listeners) listener();
  }

  function refresh(): void {
    try {
      use(mergeSettings(file, overrides()));
    } catch (error) {
      problem = (error as Error).message;
      log.error("The settings are inconsistent; the previous ones stay in force.", { problem });
    }
  }

  // Changes that were written together take effect together.
  let isDue = false;
  records.subscribe(() => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      refresh();
    });
  });

  /** The settings with changes; throws if a value is invalid or the result is inconsistent. */
  function withChanges(changes: Readonly<Record<string, unknown>>, by?: Author): MergedSettings {
    const changed = overrides();
    for (const [key, value] of Object.entries(changes)) {
      const { path } = readSettingKey(key);
      if (value !== null) checkValue(key, path, value);
      changed.set(key, { value, origin: `record ${settingId(key)}`, byRole: by === undefined ? "admin" : roleFor(key, value, by) });
    }
    return mergeSettings(file, changed);
  }

  /** What the file or an admin disables, no curator enables, whichever way the change comes. */
  function demandAdminForSwitches(changes: Readonly<Record<string, unknown>>, by: Author): void {
    if (roleOf(by) === "admin") return;
    for (const [key, value] of Object.entries(changes)) {
      const found = key.startsWith("tools.") && isEnabling(value) ? disablerOf(key) : undefined;
      if (found === undefined) continue;
      throw new StoreError(
        "FORBIDDEN",
        `${found.who} disables "${nameIn(key)}" (${found.origin}), so enabling it needs the role "admin", which "${agentOf(by)}" does not have. Ask an admin${found.who === "The file" ? ", or take the name out of tools.disabled" : ""}.`,
      );
    }
  }

  function disablerOf(key: string): { readonly who: "The file" | "An admin"; readonly origin: string } | undefined {
    const origin = now.disabledByFile.get(nameIn(key));
    if (origin !== undefined) return { who: "The file", origin };
    const record = overrides().get(key);
    return record?.byRole === "admin" && !isEnabling(record.value) ? { who: "An admin", origin: record.origin } : undefined;
  }

  /** Who disables again what an admin disabled does not become the one who may enable it. */
  function roleFor(key: string, value: unknown, by: Author): AuthorRole {
    const isKept = key.startsWith("tools.") && !isEnabling(value) && disablerOf(key)?.who === "An admin";
    return isKept ? "admin" : roleOf(by);
  }

  /** A record that enables what nothing disables would still do so when the file disables it. */
  function isIdle(key: string, value: unknown): boolean {
    return key.startsWith("tools.") && isEnabling(value) && !now.disabledByFile.has(nameIn(key));
  }

  async function setAll(changes: Readonly<Record<string, unknown>>, by: Author): Promise<readonly Setting[]> {
    withChanges(changes, by);
    demandAdminForSwitches(changes, by);
    const drafts = Object.entries(changes)
      .filter(([key, value]) => !isIdle(key, value))
      .map(([key, value]) => ({
        id: settingId(key),
        title: key.slice(0, 200),
        context: { key, value, by: agentOf(by), byRole: roleFor(key, value, by) },
      }));
    const idle = Object.entries(changes).filter(([key, value]) => isIdle(key, value));
    const written = await records.writeAll(drafts);
    for (const [key] of idle) await records.remove(settingId(key));
    refresh();
    for (const { context, version } of written) {
      const key = String(context["key"]);
      const value =
        key.startsWith("sources.") && context["value"] !== null ? toShownSource(context["value"] as SourceConfig) : context["value"];
      await audit({ kind: "setting-set", subject: key, by, body: { value, version } });
    }
    for (const [key, value] of idle) await audit({ kind: "setting-set", subject: key, by, body: { value } });
    const unset = new Map(idle.map(([key, value]) => [key, { key, value, origin: "default" }]));
    return Object.keys(changes).map(
      (key) => now.settings.get(key) ?? unset.get(key) ?? { key, value: null, origin: `record ${settingId(key)}` },
    );
  }

  /** The same list until the settings change: it is asked for with every request. */
  let names: { readonly of: MergedSettings; readonly all: readonly string[] } | undefined;

  /** Sources, of the file or of records, with a credential in plain text. */
  const plainCredentials = (): string[] =>
    Object.entries(now.config.sources ?? {}).flatMap(([id, source]) =>
      plainCredentialsIn(source).map((member) => `sources.${id}.${member} holds a credential. ${credentialRemedy}`),
    );

  const overruled = (): string[] => [...now.overruled].map(([tool, origin]) => overruledText(tool, origin, now.disabledByFile.get(tool)!));

  return {
    list: () => [...now.settings.values()],
    get: (key) => now.settings.get(key),
    get policy() {
      return now.config.policy ?? {};
    },
    get configuredPolicy() {
      return now.policy;
    },
    get problems() {
      return [
        ...options.fileProblems(),
        ...(problem === undefined ? [] : [problem]),
        ...plainCredentials(),
        ...overruled(),
        ...otherProblems(),
      ];
    },
    agentNames() {
      if (names?.of !== now) {
        const all = new Set([...Object.keys(now.config.agents ?? {}), ...Object.keys(now.config.policy?.agents ?? {})]);
        names = { of: now, all: [...all] };
      }
      return names.all;
    },
    agents: () =>
      Object.entries(now.config.agents ?? {}).map(([id, agent]) => ({
        id,
        ...(agent.description !== undefined && { description: agent.description }),
        ...agentFacts(agent),
        ...(agent.instructions !== undefined && { isRunHere: true as const }),
        origin: originOf(now, `agents.${id}`),
      })),
    bundles: () => now.bundles,
    config: () => now.config,
    sources: () => Object.entries(now.config.sources ?? {}).map(([id, source]) => ({ id, source, origin: originOf(now, `sources.${id}`) })),
    disabled: () => now.disabled,
    disabledActions: () => now.disabledActions,
    overlays: () => now.overlays,
    addProblems: (find) => void (otherProblems = find),
    reload: () => options.reload(),
    setAll,
    set: async (key, value, by) => (await setAll({ [key]: value }, by))[0]!,
    preview(changes) {
      const { config, policy } = withChanges(changes);
      return { policy: config.policy ?? {}, configured: policy };
    },
    async reset(key, by) {
      readSettingKey(key);
      const without = overrides();
      without.delete(key);
      mergeSettings(file, without);
      if (await records.remove(settingId(key))) {
        refresh();
        await audit({ kind: "setting-reset", subject: key, by, body: {} });
      }
      return now.settings.get(key);
    },
    useFile(next) {
      const merged = mergeSettings(next, overrides());
      file = next;
      use(merged);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function toOverride({ id, version, context }: Breadcrumb): Override {
  const byRole = context["byRole"];
  return {
    value: context["value"] ?? null,
    origin: `record ${id} v${version}`,
    byRole: byRole === "admin" || byRole === "curator" ? byRole : undefined,
  };
}

/** "tools.send" → "send" */
function nameIn(key: string): string {
  return key.slice("tools.".length);
}

function isEnabling(value: unknown): boolean {
  return (value as { readonly enabled?: unknown } | null)?.enabled !== false;
}

function overruledText(tool: string, origin: string, file: string): string {
  return `The ${origin} does not enable the tool "${tool}": the file disables it (${file}), and no admin wrote the record. As an admin: toolrack enable ${shellWord(tool)}, or take the name out of tools.disabled.`;
}

function originOf({ settings }: MergedSettings, key: string): string {
  return settings.get(key)?.origin ?? "default";
}

function checkValue(key: string, path: readonly string[], value: unknown): void {
  const [part, name] = path;
  const agent = part === "agents" ? name : part === "policy" && name === "agents" ? path[2] : undefined;
  const nameProblem = agent === undefined ? undefined : nameFault(agent);
  if (nameProblem !== undefined) throw new ToolError("CONFIG_INVALID", agentNameRefused("The setting", agent!, nameProblem));
  const schema = Object.hasOwn(schemas, part!) ? schemas[part as keyof typeof schemas] : undefined;
  // The policy validates its own part, as a whole.
  const checked = validateValue(schema ?? true, value);
  const facts = checked.ok ? [] : checked.issues.map(({ message }) => message);
  const fault = checked.ok ? faultOf(part, name!, value) : undefined;
  if (fault !== undefined) facts.push(fault);
  if (facts.length > 0) throw new ToolError("CONFIG_INVALID", `The setting "${key}" is wrong: ${facts.join(" ")}`);
}

function faultOf(part: string | undefined, name: string, value: unknown): string | undefined {
  if (part === "agents") return findAgentFault(name, value as AgentConfig)?.fact;
  return part === "sources" ? findSourceFault(name, value as SourceConfig) : undefined;
}

const schemas = { agents: agentSchema, bundles: bundleSchema, sources: sourceSchema, tools: switchSchema } as const;
