import { type ConfiguredPolicy, type Logger, ToolError, validateValue } from "@toolrack/core";
import type { Breadcrumb, BreadcrumbStore } from "@toolrack/store";
import type { SourceConfig } from "../config/config.ts";
import { findSourceFault, type ReadConfig } from "../config/read.ts";
import { agentSchema, bundleSchema, sourceSchema, switchSchema } from "../config/schema.ts";
import type { WriteAudit } from "./audit.ts";
import { type MergedSettings, mergeSettings, type Override } from "./merge-settings.ts";
import type { Settings } from "./rack.ts";
import { followRecords } from "./records.ts";
import { readSettingKey, settingId } from "./setting-keys.ts";

export interface KeptSettings extends Settings {
  /** The file has changed. Throws, and changes nothing, where it does not go together with the records. */
  useFile(next: ReadConfig): void;
  /** Undefined where nothing is said about who may use what. */
  readonly configuredPolicy: ConfiguredPolicy | undefined;
  sources(): readonly ConfiguredSource[];
  /** Tool → why it is switched off. */
  disabled(): ReadonlyMap<string, string>;
  /** Told when anything changed. */
  subscribe(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface ConfiguredSource {
  readonly id: string;
  readonly source: SourceConfig;
  readonly origin: string;
}

export interface SettingsOptions {
  readonly store: BreadcrumbStore;
  readonly file: ReadConfig;
  readonly log: Logger;
  readonly audit: WriteAudit;
  /** What is wrong with the file as it is now. */
  fileProblems(): readonly string[];
  /** Reads the file again. */
  reload(): void;
}

/** Lays records over the file. Each record stands for one key, so that what two people change at once does not collide. */
export async function createSettings(options: SettingsOptions): Promise<KeptSettings> {
  const { log, audit } = options;
  const records = await followRecords(options.store, "toolrack.setting.v1", (error) =>
    log.error("A change of the settings failed.", { error: String(error) }),
  );
  const listeners = new Set<() => void>();
  let file = options.file;
  let now: MergedSettings = mergeSettings(file, overrides());
  let problem: string | undefined;

  function overrides(): Map<string, Override> {
    return new Map([...records.values()].map((record) => [String(record.context["key"]), toOverride(record)]));
  }

  function use(next: MergedSettings): void {
    now = next;
    problem = undefined;
    for (const listener of listeners) listener();
  }

  records.subscribe(() => {
    try {
      use(mergeSettings(file, overrides()));
    } catch (error) {
      problem = (error as Error).message;
      log.error("The settings do not hold together; the ones before stay in force.", { problem });
    }
  });

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
      return [...options.fileProblems(), ...(problem === undefined ? [] : [problem])];
    },
    agents: () => Object.entries(now.config.agents ?? {}).map(([id, agent]) => ({ id, ...agent, origin: originOf(now, `agents.${id}`) })),
    bundles: () => now.bundles,
    sources: () => Object.entries(now.config.sources ?? {}).map(([id, source]) => ({ id, source, origin: originOf(now, `sources.${id}`) })),
    disabled: () => now.disabled,
    reload: () => options.reload(),
    async set(key, value, by) {
      const { path } = readSettingKey(key);
      if (value !== null) checkValue(key, path, value);
      // Whether the whole still holds is found out before anything is written.
      mergeSettings(file, overrides().set(key, { value, origin: `record ${settingId(key)}` }));
      const written = await records.write({ id: settingId(key), title: key.slice(0, 200), context: { key, value, by } });
      await audit({ kind: "setting-set", subject: key, by, body: { value, version: written.version } });
      return now.settings.get(key) ?? { key, value: null, origin: toOverride(written).origin };
    },
    async reset(key, by) {
      readSettingKey(key);
      const without = overrides();
      without.delete(key);
      mergeSettings(file, without);
      if (await records.remove(settingId(key))) await audit({ kind: "setting-reset", subject: key, by, body: {} });
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
    close: () => records.close(),
  };
}

function toOverride({ id, version, context }: Breadcrumb): Override {
  return { value: context["value"] ?? null, origin: `record ${id} v${version}` };
}

function originOf({ settings }: MergedSettings, key: string): string {
  return settings.get(key)?.origin ?? "default";
}

function checkValue(key: string, [part, name]: readonly string[], value: unknown): void {
  const schema = Object.hasOwn(schemas, part!) ? schemas[part as keyof typeof schemas] : undefined;
  // What the policy holds is read by the policy itself, as a whole.
  const checked = validateValue(schema ?? true, value);
  const facts = checked.ok ? [] : checked.issues.map(({ message }) => message);
  const fault = part === "sources" && checked.ok ? findSourceFault(name!, value as SourceConfig) : undefined;
  if (fault !== undefined) facts.push(fault);
  if (facts.length > 0) throw new ToolError("CONFIG_INVALID", `The setting "${key}" is wrong: ${facts.join(" ")}`);
}

const schemas = { agents: agentSchema, bundles: bundleSchema, sources: sourceSchema, tools: switchSchema } as const;
