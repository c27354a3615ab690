import type { Caller } from "../../tool/context.ts";
import { readConfig, type ReadOptions, type ReadTools } from "./_read.ts";
import { showPath, sourceAt } from "./_fields.ts";
import { agentOf, stepsFor } from "./_steps.ts";
import { type CallRules, type CallRuleSet, compileCallRules } from "../calls/rules.ts";
import { createCelEngine } from "../conditions/cel.ts";
import type { ConditionEngine } from "../conditions/condition.ts";
import { type PolicyEvaluator, policyEvaluator } from "../decide/evaluator.ts";
import type { PolicyConfig } from "./shape.ts";
import type { ToolGroups } from "../catalog/groups.ts";
import type { ToolPolicyStep } from "../policy.ts";
import { toAgentKey, unknownAgentStep } from "../steps/unknown-agents.ts";

/** Everything in a configuration that applies to one caller: pass `steps` and `groups` to `decideTools`, `rules` to `decideCall`. */
export interface CallerPolicy {
  readonly steps: readonly ToolPolicyStep[];
  readonly groups: ToolGroups;
  readonly rules: CallRules;
}

/** A configuration that was read once, for any number of callers. */
export interface ConfiguredPolicy {
  for(caller: Caller): CallerPolicy;
  /** What a registry applies it with. */
  readonly evaluator: PolicyEvaluator;
}

export interface PolicyConfigOptions extends ReadOptions {
  /** Evaluates conditions over arguments. @default createCelEngine() */
  readonly engine?: ConditionEngine;
}

/**
 * Reads a whole configuration. Throws CONFIG_INVALID for an unknown key, profile or group, with the nearest name, and
 * POLICY_INVALID for a list that is not a list; both name the path.
 */
export function readPolicyConfig(config: PolicyConfig, options: PolicyConfigOptions = {}): ConfiguredPolicy {
  const read = readConfig(config, options);
  const groups = read.groups ?? new Map();
  const engine = options.engine ?? createCelEngine();
  const compile = (tools: ReadTools | undefined): CallRules =>
    compileCallRules(tools ? [toRuleSet(tools, options)] : [], { engine, groups });
  const forEverybody = compile(read.tools);
  const byAgent = new Map([...(read.agents?.values() ?? [])].map((agent) => [agent, joinRules(forEverybody, compile(agent.tools))]));
  const listed =
    read.unknownAgents === "deny"
      ? new Set([...(read.agents?.keys() ?? []), ...[...(options.knownAgents ?? [])].map(toAgentKey)])
      : undefined;
  const source = listed && sourceAt(options.locate, ["unknownAgents"]);
  return {
    evaluator: policyEvaluator,
    for(caller) {
      const agent = agentOf(read, caller);
      const stranger = listed && unknownAgentStep(caller, listed, source);
      const steps = stepsFor(read, caller, options.locate);
      return { steps: stranger ? [stranger, ...steps] : steps, groups, rules: (agent && byAgent.get(agent)) ?? forEverybody };
    },
  };
}

/** What applies to one caller. For many callers, read the configuration once with `readPolicyConfig`. */
export function policyFromConfig(config: PolicyConfig, caller: Caller, options?: PolicyConfigOptions): CallerPolicy {
  return readPolicyConfig(config, options).for(caller);
}

function toRuleSet({ path, paths, conditions }: ReadTools, { locate }: PolicyConfigOptions): CallRuleSet {
  return {
    label: showPath(path),
    paths,
    conditions,
    locationOf: (list, position) => {
      const at = [...path, list, position];
      return { label: showPath(at), source: sourceAt(locate, at) };
    },
  };
}

function joinRules(...all: readonly CallRules[]): CallRules {
  return { hasPaths: all.some(({ hasPaths }) => hasPaths), for: (tool) => all.flatMap((rules) => rules.for(tool)) };
}
