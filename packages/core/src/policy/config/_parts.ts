import type { Caller } from "../../tool/context.ts";
import { type ChannelPolicies, channelPolicies } from "../steps/channels.ts";
import { providerKeys } from "../steps/provider-keys.ts";
import { type SpawnLevel, spawnLevelOf } from "../steps/subagents.ts";
import { isUnknownAgent, toAgentKey } from "../steps/unknown-agents.ts";
import type { ReadAgent, ReadPolicy, ReadPolicyConfig, ReadProviderTools, ReadTools } from "./_read.ts";

/** The parts of a configuration that apply to one caller. The same parts give the same policy, whoever calls. */
export interface AppliedParts {
  /** The configuration does not list the agent, and denies those. */
  readonly isUnknown: boolean;
  readonly own: ReadTools | undefined;
  readonly provider: ReadProviderTools | undefined;
  readonly ownProvider: ReadProviderTools | undefined;
  readonly channel: readonly ReadPolicy[];
  readonly phase: readonly ReadPolicy[];
  readonly isSandboxed: boolean;
  /** The agent's own policy in a sandbox. */
  readonly ownSandbox: ReadPolicy | undefined;
  readonly level: SpawnLevel;
}

export interface PartFinder {
  find(caller: Caller): AppliedParts;
  /** Equal for the same parts, and for no others. */
  keyOf(parts: AppliedParts): string;
}

/** @param listed the agents that are known, if others are denied */
export function createPartFinder(config: ReadPolicyConfig, listed: ReadonlySet<string> | undefined): PartFinder {
  const phaseOf = createPhaseFinder(config);
  const numberOf = createNumbers();
  return {
    find(caller) {
      const agent = agentOf(config, caller);
      const own = agent?.tools;
      const keys = config.tools?.byProvider || own?.byProvider ? providerKeys(caller) : none;
      const isSandboxed = caller.sandboxed === true;
      return {
        isUnknown: listed !== undefined && isUnknownAgent(caller, listed),
        own,
        provider: firstOf(config.tools?.byProvider, keys),
        ownProvider: firstOf(own?.byProvider, keys),
        channel: channelOf(config, caller),
        phase: phaseOf(caller),
        isSandboxed,
        ownSandbox: isSandboxed ? agent?.sandbox?.tools : undefined,
        level: spawnLevelOf({ depth: caller.subagentDepth, maxSpawnDepth: config.subagents?.maxSpawnDepth }),
      };
    },
    keyOf({ isUnknown, own, provider, ownProvider, channel, phase, isSandboxed, ownSandbox, level }) {
      let key = `${level}${isUnknown ? "?" : ""}${isSandboxed ? `s${numberOf(ownSandbox)}` : ""}a${numberOf(own)}`;
      if (provider !== undefined || ownProvider !== undefined) key += `p${numberOf(provider)},${numberOf(ownProvider)}`;
      for (const policy of channel) key += `c${numberOf(policy)}`;
      for (const policy of phase) key += `f${numberOf(policy)}`;
      return key;
    },
  };
}

const none: readonly never[] = Object.freeze([]);

function agentOf({ agents }: ReadPolicyConfig, { agent }: Caller): ReadAgent | undefined {
  return agents !== undefined && typeof agent === "string" ? agents.get(toAgentKey(agent)) : undefined;
}

function firstOf<Value>(values: ReadonlyMap<string, Value> | undefined, keys: readonly string[]): Value | undefined {
  const key = keys.find((candidate) => values?.has(candidate));
  return key === undefined ? undefined : values!.get(key);
}

function channelOf({ channels }: ReadPolicyConfig, caller: Caller): readonly ReadPolicy[] {
  if (channels === undefined || typeof caller.channel !== "string") return none;
  const channel: ChannelPolicies<ReadPolicy> | undefined = channels.get(caller.channel.trim().toLowerCase());
  return channel ? channelPolicies(channel, caller) : none;
}

/** How many names of phases that are not listed are told apart; callers choose them. */
const maxUnlisted = 64;

function createPhaseFinder({ phases }: ReadPolicyConfig): (caller: Caller) => readonly ReadPolicy[] {
  const unlisted = new Map<string, readonly ReadPolicy[]>();
  return ({ phase }) => {
    if (phase === undefined || phases === undefined || phases.size === 0) return none;
    const name = String(phase).trim();
    const policies = phases.get(name) ?? phases.get("*") ?? unlisted.get(name);
    if (policies !== undefined) return policies;
    // A name that no tool can have: a phase that is not configured has no tools.
    const nothing = [{ path: ["phases", name], policy: { allow: ["phase:unlisted"] }, isList: true, isUnlisted: true }];
    if (unlisted.size >= maxUnlisted) unlisted.clear();
    unlisted.set(name, nothing);
    return nothing;
  };
}

/** A number for each object, from 1 on; 0 for none. */
export function createNumbers(): (part: object | undefined) => number {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return (part) => {
    if (part === undefined) return 0;
    let number = numbers.get(part);
    if (number === undefined) numbers.set(part, (number = ++last));
    return number;
  };
}
