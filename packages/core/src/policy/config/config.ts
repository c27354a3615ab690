import { checkCaller } from "../../tool/check-caller.ts";
import type { Caller } from "../../tool/context.ts";
import { readConfig, type ReadOptions, type ReadTools } from "./_read.ts";
import { showPath, sourceAt } from "./_fields.ts";
import { createPartFinder } from "./_parts.ts";
import { createStepMaker } from "./_steps.ts";
import { type CallRules, type CallRuleSet, compileCallRules } from "../calls/rules.ts";
import { createCelEngine } from "../conditions/cel.ts";
import type { ConditionEngine } from "../conditions/condition.ts";
import { type PolicyEvaluator, policyEvaluator } from "../decide/evaluator.ts";
import type { PolicyConfig } from "./shape.ts";
import type { ToolGroups } from "../catalog/groups.ts";
import type { ToolPolicyStep } from "../policy.ts";
import { settleStep } from "../decide/read-steps.ts";
import { toAgentKey, unknownAgentStep } from "../steps/unknown-agents.ts";

/** Everything in a configuration that applies to one caller: pass `steps` and `groups` to `decideTools`, `rules` to `decideCall`. */
export interface CallerPolicy {
  readonly steps: readonly ToolPolicyStep[];
  readonly groups: ToolGroups;
  readonly rules: CallRules;
}

/** A configuration that was read once, for any number of callers. */
export interface ConfiguredPolicy {
  /**
   * Callers to whom the same parts of the configuration apply get the same frozen object, so that what follows from it is worked out once
   * for all of them. A registry keeps the rest by the facts of each caller.
   */
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
  const compile = (tools: ReadTools | undefined, maxKept?: number): CallRules =>
    compileCallRules(tools ? [toRuleSet(tools, options)] : [], { engine, groups, ...(maxKept !== undefined && { maxKept }) });
  const forEverybody = compile(read.tools);
  const byAgent = new Map(
    [...(read.agents?.values() ?? [])].flatMap(({ tools }) =>
      tools?.paths || tools?.conditions ? [[tools, joinRules(forEverybody, compile(tools, maxKeptForAgent))]] : [],
    ),
  );
  const listed =
    read.unknownAgents === "deny"
      ? new Set([...(read.agents?.keys() ?? []), ...[...(options.knownAgents ?? [])].map(toAgentKey)])
      : undefined;
  const stranger = listed && settleStep(unknownAgentStep(listed, sourceAt(options.locate, ["unknownAgents"])));
  const parts = createPartFinder(read, listed);
  const stepsFor = createStepMaker(read, options.locate);
  const policies = new Map<string, CallerPolicy>();
  return {
    evaluator: policyEvaluator,
    for(caller) {
      checkCaller(caller);
      const applied = parts.find(caller);
      const key = parts.keyOf(applied);
      let policy = policies.get(key);
      if (policy === undefined) {
        const { own, isUnknown } = applied;
        const steps = stepsFor(applied);
        policy = Object.freeze({
          steps: Object.freeze(isUnknown ? [stranger!, ...steps] : steps),
          groups,
          rules: (own && byAgent.get(own)) ?? forEverybody,
        });
        if (policies.size >= maxPolicies) policies.delete(policies.keys().next().value!);
        policies.set(key, policy);
      }
      return policy;
    },
  };
}

/** Each is small; a configuration with many parts has more combinations of them than anyone calls with. */
const maxPolicies = 4_096;
/** For how many tools the rules of one agent are kept: there may be thousands of agents. */
const maxKeptForAgent = 256;

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
  return {
    hasPaths: all.some(({ hasPaths }) => hasPaths),
    for: (tool) => all.flatMap((rules) => rules.for(tool)),
    get named() {
      return all.flatMap(({ named }) => named);
    },
  };
}
