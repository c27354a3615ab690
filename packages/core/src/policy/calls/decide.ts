import { isObject } from "@toolrack/json-schema/internal";
import type { Caller } from "../../tool/context.ts";
import { governedNames, grantingNames, registrationOf } from "../../tool/registered.ts";
import { describeThrown } from "../../tool/result.ts";
import { contentHash } from "../../util/hash.ts";
import type { CallRules, ToolCondition, ToolRules } from "./rules.ts";
import type { Condition, ConditionVariables } from "../conditions/condition.ts";
import { pathSentence } from "./path-check.ts";
import { findPathFault } from "../paths/rules.ts";
import type { AskRule, Decision, PolicyTool } from "../policy.ts";
import { createPathResolver, type PathResolver } from "../paths/resolve.ts";
import { matching, toSentence } from "../sentence.ts";

export interface DecideCallInput {
  readonly tool: PolicyTool;
  /** The validated input. */
  readonly input: unknown;
  readonly caller: Caller;
  /** The decision about the tool; its `ask` applies to every call. */
  readonly decision?: Decision;
  readonly rules?: CallRules;
  /** @default follows links from the working directory */
  readonly resolvePath?: PathResolver;
}

/** The decision about one call. "deny" takes precedence over "ask", "ask" over "allow". */
export type CallDecision =
  | { readonly outcome: "allow" }
  | (CallFinding & { readonly outcome: "deny" })
  /** `digest` binds the answer to this tool and these arguments. */
  | (CallFinding & { readonly outcome: "ask"; readonly digest: string });

export interface CallFinding {
  readonly rule: "policy" | "path" | "condition" | "ask";
  /** The path in the configuration. */
  readonly label: string;
  readonly source?: string;
  /** The pattern, the condition or the entry that decided. */
  readonly entry?: string;
  /** A whole sentence. */
  readonly reason: string;
}

/** Decides about the arguments of a call, after `decideTools` decided about the tool. Never throws: what cannot be decided is refused. */
export function decideCall(call: DecideCallInput): CallDecision {
  const { tool, input, decision, rules } = call;
  if (decision?.allowed === false) {
    return { outcome: "deny", rule: "policy", label: decision.label ?? decision.rule, reason: toSentence(decision) };
  }
  let question = decision?.ask && askedByPolicy(tool, decision.ask);
  for (const set of rules?.for(tool) ?? []) {
    const refusal = checkPaths(set, call);
    if (refusal) return { outcome: "deny", ...refusal };
    const { deny, ask } = checkConditions(set, call);
    if (deny) return { outcome: "deny", ...deny };
    question ??= ask;
  }
  if (question === undefined) return allowed;
  try {
    return { outcome: "ask", ...question, digest: contentHash({ tool: tool.name, input }) };
  } catch (error) {
    const reason = `The arguments of \`${tool.name}\` cannot be shown to a person: ${describeThrown(error)}.`;
    return { outcome: "deny", ...question, reason };
  }
}

const allowed: CallDecision = Object.freeze({ outcome: "allow" });

function askedByPolicy(tool: PolicyTool, rule: AskRule): CallFinding {
  const { label, source, entry } = rule;
  const reason = `Each call of \`${tool.name}\` needs a person's approval because of \`${entry}\` in ${label}${matching(rule)}.`;
  return { rule: "ask", label, entry, reason, ...(source !== undefined && { source }) };
}

function checkPaths({ paths }: ToolRules, { tool, input, resolvePath = createPathResolver() }: DecideCallInput): CallFinding | undefined {
  for (const { rule, location } of paths) {
    const fault = findPathFault(rule, tool, input, resolvePath);
    if (fault === undefined) continue;
    const entry = fault.entry === undefined ? {} : { entry: fault.entry };
    return { rule: "path", ...location, ...entry, reason: pathSentence(tool, location, fault) };
  }
  return undefined;
}

function checkConditions(
  { conditions }: ToolRules,
  { tool, input, caller }: DecideCallInput,
): { deny?: CallFinding; ask?: CallFinding | undefined } {
  if (conditions.length === 0) return {};
  const variables = toVariables(tool.name, input, caller);
  const isRenamed = registrationOf(tool) !== undefined;
  let ask: CallFinding | undefined;
  let unmet: CallFinding | undefined;
  let isMet = false;
  let unmetNarrow: CallFinding | undefined;
  let isNarrowMet = false;
  for (const rule of conditions) {
    const holds = isRenamed ? holdsByName(rule, tool, variables) : evaluate(rule.condition, variables);
    if (rule.effect === "allow") {
      if (holds !== true) {
        const finding = toFinding(tool, rule, "is refused by", holds === false ? "is not true" : holds);
        if (rule.isNarrow === true) unmetNarrow ??= finding;
        else unmet ??= finding;
      } else if (rule.isNarrow === true) isNarrowMet = true;
      else isMet = true;
    } else if (holds !== true && holds !== false) {
      return { deny: toFinding(tool, rule, "is refused by", holds) };
    } else if (holds && rule.effect === "deny") {
      return { deny: toFinding(tool, rule, "is refused by", "is true") };
    } else if (holds) {
      ask ??= toFinding(tool, rule, "needs a person's approval because of", "is true");
    }
  }
  if (unmet && !isMet) return { deny: unmet };
  return unmetNarrow && !isNarrowMet ? { deny: unmetNarrow } : { ask };
}

/**
 * Whether a condition holds for a call of a renamed tool, for which the variable `tool` has several values. A condition that restricts applies
 * if it holds, or fails, for any of them; one that allows has to hold for a name that counts for that.
 */
function holdsByName({ condition, effect, isNarrow }: ToolCondition, tool: PolicyTool, variables: ConditionVariables): boolean | string {
  const names = effect === "allow" && isNarrow !== true ? grantingNames(tool) : governedNames(tool);
  const found = names.map((name) => evaluate(condition, Object.assign(Object.create(null), variables, { tool: name })));
  if (effect === "allow") return found.includes(true) || found[0]!;
  return found.find((holds) => typeof holds === "string") ?? found.includes(true);
}

/** True, false, or why it could not be evaluated. */
function evaluate(condition: Condition, variables: ConditionVariables): boolean | string {
  try {
    const holds: unknown = condition(variables);
    return typeof holds === "boolean" ? holds : "returned neither true nor false";
  } catch (error) {
    return `failed: ${describeThrown(error).split("\n")[0]}`;
  }
}

function toFinding(tool: PolicyTool, { text, reason, location }: ToolCondition, verdict: string, because: string): CallFinding {
  const own = reason === undefined ? "" : ` ${reason}`;
  const at = location.source === undefined ? location.label : `${location.label} (${location.source})`;
  const sentence = `The call of \`${tool.name}\` ${verdict} ${at}: \`${text}\` ${because}.${own}`;
  return { rule: "condition", ...location, entry: text, reason: sentence };
}

/** The input's properties by their own names, and `input`, `caller` and `tool`, which no property can replace. */
function toVariables(tool: string, input: unknown, caller: Caller): ConditionVariables {
  const variables: Record<string, unknown> = Object.create(null);
  if (isObject(input)) Object.assign(variables, input);
  return Object.assign(variables, { input, caller, tool });
}
