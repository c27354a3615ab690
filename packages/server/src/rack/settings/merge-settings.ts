import { normalizeToolName } from "@toolrack/core/compat";
import { defineBundle, type ToolBundle, ToolError } from "@toolrack/core";
import { blogAgentBundle, codeAgentBundle } from "@toolrack/core/compat";
import { type ConfiguredPolicy, type PolicyConfig, readPolicyConfig } from "@toolrack/core/policy";
import type { RackConfig } from "../../config/config.ts";
import type { ReadConfig } from "../../config/read.ts";
import type { AuthorRole } from "../audit/author.ts";
import type { Setting } from "../rack.ts";
import type { ConfiguredOverlays } from "../trust/overlays.ts";
import { own, readSettingKey, settingsIn } from "./setting-keys.ts";

/** The value of a record for one key; null removes the value of the file. */
export interface Override {
  readonly value: unknown;
  /** "record setting-policy.agents.support v3" */
  readonly origin: string;
  /** The role of whoever set it; undefined in records of earlier versions. */
  readonly byRole?: AuthorRole | undefined;
}

/** The configuration in force: the file, overridden by records. */
export interface MergedSettings {
  readonly config: RackConfig;
  /** By key, each with its origin. */
  readonly settings: ReadonlyMap<string, Setting>;
  readonly policy: ConfiguredPolicy;
  readonly bundles: readonly (ToolBundle & { readonly origin: string })[];
  /** Tool → why it is disabled. */
  readonly disabled: ReadonlyMap<string, string>;
  /** Tools that the file disables → where that is said. */
  readonly disabledByFile: ReadonlyMap<string, string>;
  /** Tool → the record that does not enable it, because no admin wrote it and the file disables it. */
  readonly overruled: ReadonlyMap<string, string>;
  /** Tool → disabled action → where that is said. */
  readonly disabledActions: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly overlays: ConfiguredOverlays;
}

/** Throws, naming file or record, if the result is inconsistent: a policy with an undefined group. */
export function mergeSettings(file: ReadConfig, overrides: ReadonlyMap<string, Override>): MergedSettings {
  let config = file.config as Readonly<Record<string, unknown>>;
  for (const [key, { value }] of overrides) {
    if (!key.startsWith("tools.")) config = withValue(config, readSettingKey(key).path, value);
  }
  const merged = withAgentTools(config as RackConfig);
  const originOf = (key: string, path: readonly (string | number)[]): string => overrides.get(key)?.origin ?? file.originOf(path);
  const settings = new Map<string, Setting>();
  for (const { key, path } of settingsIn(config)) {
    settings.set(key, { key, value: path.reduce<unknown>(own, config), origin: originOf(key, path) });
  }
  const disabled = new Map<string, string>();
  const disabledByFile = new Map<string, string>();
  const overruled = new Map<string, string>();
  for (const [position, name] of (merged.tools?.disabled ?? []).entries()) {
    const origin = file.originOf(["tools", "disabled", position]);
    disabled.set(name, `It is disabled in ${origin}.`);
    disabledByFile.set(name, origin);
    settings.set(`tools.${name}`, { key: `tools.${name}`, value: { enabled: false }, origin });
  }
  for (const [key, { value, origin, byRole }] of overrides) {
    if (!key.startsWith("tools.")) continue;
    const name = key.slice("tools.".length);
    const { enabled, reason } = (value ?? { enabled: true }) as { readonly enabled: boolean; readonly reason?: string };
    // The file may say so later than the record.
    if (enabled && byRole !== "admin" && disabledByFile.has(name)) {
      overruled.set(name, origin);
      continue;
    }
    if (enabled) disabled.delete(name);
    else disabled.set(name, reason ?? "It was disabled by an operator.");
    if (value === null) settings.delete(key);
    else settings.set(key, { key, value, origin });
  }
  return {
    config: merged,
    settings,
    policy: readPolicy(merged, overrides, file),
    bundles: [
      ...[codeAgentBundle, blogAgentBundle].flatMap((bundle) =>
        Object.hasOwn(merged.bundles ?? {}, bundle.name) ? [] : [{ ...bundle, origin: "built in" }],
      ),
      ...Object.entries(merged.bundles ?? {}).map(([name, bundle]) => ({
        ...defineBundle({ name, description: bundle.description ?? "", required: bundle.required ?? [], optional: bundle.optional ?? [] }),
        origin: originOf(`bundles.${name}`, ["bundles", name]),
      })),
    ],
    disabled,
    disabledByFile,
    overruled,
    disabledActions: disabledActionsIn(merged, file),
    overlays: overlaysIn(merged, file),
  };
}

function disabledActionsIn({ tools }: RackConfig, file: ReadConfig): MergedSettings["disabledActions"] {
  const found = Object.entries(tools?.actions ?? {}).map(([tool, actions]): [string, ReadonlyMap<string, string>] => {
    const names = Object.keys(actions).filter((action) => actions[action] === false);
    return [normalizeToolName(tool), new Map(names.map((action) => [action, file.originOf(["tools", "actions", tool, action])]))];
  });
  return new Map(found.filter(([, actions]) => actions.size > 0));
}

function overlaysIn({ overlays = {} }: RackConfig, file: ReadConfig): ConfiguredOverlays {
  return new Map(
    Object.entries(overlays).map(([source, tools]) => [
      source,
      new Map(Object.entries(tools).map(([tool, overlay]) => [tool, { overlay, origin: file.originOf(["overlays", source, tool]) }])),
    ]),
  );
}

/** The default of policy.unknownAgents. */
export const defaultUnknownAgents = "deny";

/** `agents.<id>.tools` is the part of the policy about this agent. */
function withAgentTools(config: RackConfig): RackConfig {
  const { policy, agents = {} } = config;
  const said = Object.entries(agents).flatMap(([id, { tools }]) => (tools === undefined ? [] : [[id, { tools }] as const]));
  if (said.length === 0) return config;
  const twice = said.find(([id]) => Object.hasOwn(policy?.agents ?? {}, id))?.[0];
  if (twice !== undefined)
    throw new ToolError(
      "CONFIG_INVALID",
      `agents.${twice}.tools and policy.agents.${twice} both say which tools it has. Keep one of them.`,
    );
  return { ...config, policy: { ...policy, agents: { ...policy?.agents, ...Object.fromEntries(said) } } };
}

function readPolicy({ policy, agents }: RackConfig, overrides: ReadonlyMap<string, Override>, file: ReadConfig): ConfiguredPolicy {
  const whole: PolicyConfig = { unknownAgents: defaultUnknownAgents, ...policy };
  const isInAgent = (id: unknown): boolean => typeof id === "string" && own(own(agents, id), "tools") !== undefined;
  return readPolicyConfig(whole, {
    knownAgents: Object.keys(agents ?? {}),
    locate(path) {
      const [part, name] = path;
      if (part === "unknownAgents" && policy?.unknownAgents === undefined) return undefined;
      if (part === "agents" && isInAgent(name))
        return overrides.get(`agents.${String(name)}`)?.origin ?? file.originOf(["agents", ...path.slice(1)]);
      const override = overrides.get(`policy.${String(part)}`) ?? overrides.get(`policy.${String(part)}.${String(name)}`);
      return override?.origin ?? file.originOf(["policy", ...path]);
    },
  });
}

/** A copy with the value at the path; null removes it. Any name is an own property. */
export function withValue(object: unknown, [name, ...below]: readonly string[], value: unknown): Readonly<Record<string, unknown>> {
  const entries = new Map(Object.entries((object ?? {}) as object));
  if (below.length > 0) entries.set(name!, withValue(entries.get(name!), below, value));
  else if (value === null) entries.delete(name!);
  else entries.set(name!, value);
  return Object.fromEntries(entries);
}
