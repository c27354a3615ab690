import { isObject } from "@toolrack/json-schema/internal";
import { normalizeToolName } from "../../tool/name.ts";
import {
  childOf,
  type ConfigNode,
  fail,
  failUnknown,
  readByName,
  readFields,
  readItems,
  readNumber,
  type ReadContext,
  readText,
} from "./_fields.ts";
import { describeValue } from "../entries/entries.ts";
import { conditionEffects, type ConditionRule } from "../calls/rules.ts";
import { toSenderKey } from "../steps/channels.ts";
import type { ConfigPath, Locate } from "./shape.ts";
import { coreToolGroups, isGroupEntry, pluginsGroup, type ToolGroups } from "../catalog/groups.ts";
import { toGroupName } from "../catalog/group-name.ts";
import { isGlob } from "../../util/glob.ts";
import type { PathRule } from "../paths/rules.ts";
import type { ToolPolicy } from "../policy.ts";
import { coreToolProfiles } from "../catalog/profiles.ts";
import { toProviderKey } from "../steps/provider-keys.ts";
import { listNames } from "../steps/steps.ts";
import { toAgentKey, type UnknownAgents, unknownAgentsValues } from "../steps/unknown-agents.ts";

/** A valid configuration: names normalised, lists frozen, each part with its path. */
export interface ReadPolicyConfig {
  readonly unknownAgents?: UnknownAgents;
  readonly tools?: ReadTools;
  readonly agents?: ReadonlyMap<string, ReadAgent>;
  readonly channels?: ReadonlyMap<string, ReadChannel>;
  readonly sandbox?: ReadSandbox;
  readonly subagents?: ReadSubagents;
  readonly phases?: ReadonlyMap<string, readonly ReadPolicy[]>;
  readonly groups?: ToolGroups;
  readonly profiles?: ReadonlyMap<string, ReadPolicy>;
}

/** A policy and its path. */
export interface ReadPolicy {
  readonly path: ConfigPath;
  readonly policy: ToolPolicy;
  /** The value at the path is itself the list: phases.deliver: [git]. */
  readonly isList?: boolean;
  /** It stands for a phase that the configuration does not list. */
  readonly isUnlisted?: boolean;
}

export interface ReadProviderTools extends ReadPolicy {
  readonly profile?: string;
}

export interface ReadTools extends ReadProviderTools {
  readonly byProvider?: ReadonlyMap<string, ReadProviderTools>;
  readonly paths?: readonly PathRule[];
  readonly conditions?: readonly ConditionRule[];
}

export interface ReadAgent {
  readonly tools?: ReadTools;
  readonly sandbox?: ReadSandbox;
}

export interface ReadSandbox {
  readonly tools?: ReadPolicy;
}

export interface ReadSubagents extends ReadSandbox {
  readonly maxSpawnDepth?: number;
}

export interface ReadSenders {
  readonly tools?: ReadPolicy;
  readonly toolsBySender?: ReadonlyMap<string, ReadPolicy>;
}

export interface ReadChannel extends ReadSenders {
  readonly groups?: ReadonlyMap<string, ReadSenders>;
}

export interface ReadOptions {
  readonly locate?: Locate;
  /** Groups that exist only in the metadata of tools, so that entries may name them. */
  readonly knownGroups?: Iterable<string>;
  /** Agents that are known although they are not under `agents`. */
  readonly knownAgents?: Iterable<string>;
}

export function readConfig(config: unknown, options: ReadOptions): ReadPolicyConfig {
  return readFields<ReadPolicyConfig>(
    { value: config, path: [], context: toContext(config, options) },
    {
      unknownAgents: readUnknownAgents,
      tools: readTools,
      agents: (node) => readByName(node, toAgentKey, readAgent),
      channels: (node) => readByName(node, fold, readChannel),
      sandbox: readSandbox,
      subagents: readSubagents,
      phases: (node) => readByName(node, trim, readPhase),
      groups: (node) => readByName(node, toGroupName, readGroup),
      profiles: (node) => readByName(node, trim, readProfile),
    },
  );
}

/** Names that may be used before their definition has been read. */
function toContext(config: unknown, { locate, knownGroups = [] }: ReadOptions): ReadContext {
  const namesAt = (key: string): string[] => {
    const value: unknown = isObject(config) && Object.hasOwn(config, key) ? config[key] : undefined;
    return isObject(value) ? Object.keys(value) : [];
  };
  return {
    locate,
    groups: new Set([...coreToolGroups.keys(), pluginsGroup, ...[...namesAt("groups"), ...knownGroups].map(toGroupName)]),
    profiles: new Set([...coreToolProfiles, ...namesAt("profiles").map(trim)]),
  };
}

function readTools(node: ConfigNode): ReadTools {
  const { byProvider, paths, conditions, profile, ...policy } = readFields<ToolPolicy & Omit<ReadTools, keyof ReadPolicy>>(node, {
    ...policyReaders,
    profile: readProfileName,
    byProvider: (inner) => readByName(inner, toProviderKey, readProviderTools),
    paths: (inner) => readItems(inner, readPathRule),
    conditions: (inner) => readItems(inner, readConditionRule),
  });
  return { path: node.path, policy, byProvider, paths, conditions, profile };
}

function readProviderTools(node: ConfigNode): ReadProviderTools {
  const { profile, ...policy } = readFields<ToolPolicy & { profile?: string }>(node, { ...policyReaders, profile: readProfileName });
  return { path: node.path, policy, profile };
}

function readAgent(node: ConfigNode): ReadAgent {
  return readFields<ReadAgent>(node, { tools: readTools, sandbox: readSandbox });
}

function readSandbox(node: ConfigNode): ReadSandbox {
  return readFields<ReadSandbox>(node, { tools: readPolicy });
}

function readSubagents(node: ConfigNode): ReadSubagents {
  return readFields<ReadSubagents>(node, { tools: readPolicy, maxSpawnDepth: readNumber });
}

function readSenders(node: ConfigNode): ReadSenders {
  return readFields<ReadSenders>(node, { tools: readPolicy, toolsBySender: readToolsBySender });
}

function readChannel(node: ConfigNode): ReadChannel {
  return readFields<ReadChannel>(node, {
    tools: readPolicy,
    toolsBySender: readToolsBySender,
    groups: (inner) => readByName(inner, trim, readSenders),
  });
}

function readToolsBySender(node: ConfigNode): ReadonlyMap<string, ReadPolicy> {
  return readByName(node, toSenderKey, readPolicy);
}

/** ["git", "github"], one policy, or a list of policies. */
function readPhase(node: ConfigNode): readonly ReadPolicy[] {
  if (!Array.isArray(node.value)) return [readPolicy(node)];
  if (node.value.some(isObject)) return node.value.map((_, position) => readPolicy(childOf(node, position)));
  return [{ path: node.path, policy: Object.freeze({ allow: readEntries(node) }), isList: true }];
}

function readGroup(node: ConfigNode): readonly string[] {
  const name = toGroupName(String(node.path.at(-1)));
  if (name === toGroupName("")) fail("CONFIG_INVALID", node, "has no name");
  if (coreToolGroups.has(name) || name === pluginsGroup) fail("CONFIG_INVALID", node, "is a group of the catalog; choose another name");
  for (const [position, entry] of readEntries(node).entries()) {
    const group = normalizeToolName(entry);
    if (!isGroupEntry(group) || isGlob(group) || coreToolGroups.has(group) || group === pluginsGroup) continue;
    fail("CONFIG_INVALID", childOf(node, position), `names ${group}, and a group cannot hold another group of your own; list its members`);
  }
  return readEntries(node);
}

function readProfile(node: ConfigNode): ReadPolicy {
  if (coreToolProfiles.includes(String(node.path.at(-1)).trim()))
    fail("CONFIG_INVALID", node, "is a built-in profile; choose another name");
  return readPolicy(node);
}

function readProfileName(node: ConfigNode): string {
  const name = readText(node);
  if (!node.context.profiles.has(name)) failUnknown(node, "profile", node.context.profiles, name);
  return name;
}

function readPathRule(node: ConfigNode): PathRule {
  const rule = readFields<PathRule>(node, { tool: readEntry, deny: readTexts, allow: readTexts, parameters: readTexts });
  if (rule.tool === undefined) fail("CONFIG_INVALID", node, "must say which tool it is about");
  if (rule.deny === undefined && rule.allow === undefined) fail("CONFIG_INVALID", node, "must deny or allow some paths");
  return rule as PathRule;
}

function readConditionRule(node: ConfigNode): ConditionRule {
  const rule = readFields<ConditionRule>(node, { tool: readEntry, allow: readText, deny: readText, ask: readText, reason: readText });
  if (rule.tool === undefined) fail("CONFIG_INVALID", node, "must say which tool it is about");
  if (conditionEffects.every((effect) => rule[effect] === undefined))
    fail("CONFIG_INVALID", node, "must have a condition: allow, deny or ask");
  return rule as ConditionRule;
}

function readUnknownAgents(node: ConfigNode): UnknownAgents {
  const value = unknownAgentsValues.find((known) => known === node.value);
  if (value === undefined) fail("CONFIG_INVALID", node, `must be "deny" or "allow", but it is ${describeValue(node.value)}`);
  return value;
}

function readTexts(node: ConfigNode): readonly string[] {
  return readItems(node, readText);
}

const policyReaders = { allow: readEntries, alsoAllow: readEntries, deny: readEntries, ask: readEntries } as const;

function readPolicy(node: ConfigNode): ReadPolicy {
  if (!isObject(node.value))
    fail("POLICY_INVALID", node, `must be an object with ${listNames.join(", ")}, but it is ${describeValue(node.value)}`);
  return { path: node.path, policy: readFields<ToolPolicy>(node, policyReaders) };
}

function readEntries(node: ConfigNode): readonly string[] {
  if (!Array.isArray(node.value)) fail("POLICY_INVALID", node, `must be a list of names, but it is ${describeValue(node.value)}`);
  return Object.freeze(node.value.map((_, position) => readEntry(childOf(node, position))));
}

/** A tool with this name may be registered later; a group must exist. */
function readEntry(node: ConfigNode): string {
  const { value, context } = node;
  if (typeof value !== "string")
    fail("POLICY_INVALID", node, `must be the name of a tool, a group or a plugin, but it is ${describeValue(value)}`);
  const name = normalizeToolName(value);
  if (name === "") fail("POLICY_INVALID", node, "is blank");
  if (isGroupEntry(name) && !isGlob(name) && !context.groups.has(name)) failUnknown(node, "group", context.groups, name);
  return value;
}

function trim(name: string): string {
  return name.trim();
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}
