import { createHash } from "node:crypto";
import { ToolError } from "@toolrack/core";

/** The path of a setting in the configuration: "policy.agents.support" → ["policy", "agents", "support"]. */
export interface SettingPath {
  readonly key: string;
  readonly path: readonly string[];
}

/** Parts of the configuration that are one setting as a whole. */
const wholes = ["policy.unknownAgents", "policy.tools", "policy.sandbox", "policy.subagents"] as const;
/** Parts in which each name is a setting; the name is everything that follows, including dots. */
const named = [
  "policy.agents",
  "policy.channels",
  "policy.phases",
  "policy.groups",
  "policy.profiles",
  "agents",
  "bundles",
  "sources",
  "tools",
] as const;

/** Throws CONFIG_INVALID for a key that cannot be set while the server runs. */
export function readSettingKey(key: string): SettingPath {
  if ((wholes as readonly string[]).includes(key)) return { key, path: key.split(".") };
  const parent = named.find((prefix) => key.startsWith(`${prefix}.`) && key.length > prefix.length + 1);
  if (parent !== undefined && key.length <= 200) return { key, path: [...parent.split("."), key.slice(parent.length + 1)] };
  const known = [...wholes, ...named.map((prefix) => `${prefix}.<name>`)].join(", ");
  throw new ToolError(
    "CONFIG_INVALID",
    `"${key.slice(0, 100)}" is no setting. Settings are ${known}; everything else is said in the file.`,
  );
}

/** The settings of a configuration, in its order. */
export function settingsIn(config: Readonly<Record<string, unknown>>): readonly SettingPath[] {
  const at = (path: readonly string[]): unknown => path.reduce<unknown>((value, name) => own(value, name), config);
  return [
    ...wholes.filter((key) => at(key.split(".")) !== undefined).map((key) => ({ key, path: key.split(".") })),
    ...named
      .filter((prefix) => prefix !== "tools")
      .flatMap((prefix) => {
        const path = prefix.split(".");
        return Object.keys((at(path) ?? {}) as object).map((name) => ({ key: `${prefix}.${name}`, path: [...path, name] }));
      }),
  ];
}

export function own(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** "policy.agents.support" → "setting-policy.agents.support"; a hash if the key has characters that a record id cannot have. */
export function settingId(key: string): string {
  return /^[A-Za-z0-9._:@/+~-]+$/.test(key) ? `setting-${key}` : `setting-${createHash("sha256").update(key).digest("hex")}`;
}
