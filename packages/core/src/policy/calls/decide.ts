import { isObject } from "@toolrack/json-schema/internal";
import type { Caller } from "../../tool/context.ts";
import { describeThrown } from "../../tool/result.ts";
import { contentHash } from "../../util/hash.ts";
import type { CallRules, ToolCondition, ToolRules } from "./rules.ts";
import type { Condition, ConditionVariables } from "../conditions/condition.ts";
import { pathSentence } from "./path-check.ts";
import { findPathFault } from "../paths/rules.ts";
import type { AskRule, Decision, PolicyTool } from "../policy.ts";
import { createPathResolver, type PathResolver } from "../paths/resolve.ts";
import { toSentence } from "../sentence.ts";

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

function askedByPolicy(tool: PolicyTool, { label, source, entry }: AskRule): CallFinding {
  const reason = `Each call of \`${tool.name}\` needs a person's approval because of \`${entry}\` in ${label}.`;
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
  const variables = toVariables(tool, input, caller);
  let ask: CallFinding | undefined;
  let unmet: CallFinding | undefined;
  let isMet = false;
  for (const rule of conditions) {
    const holds = evaluate(rule.condition, variables);
    if (rule.effect === "allow") {
      if (holds === true) isMet = true;
      else unmet ??= toFinding(tool, rule, "is refused by", holds === false ? "is not true" : holds);
    } else if (holds !== true && holds !== false) {
      return { deny: toFinding(tool, rule, "is refused by", holds) };
    } else if (holds && rule.effect === "deny") {
      return { deny: toFinding(tool, rule, "is refused by", "is true") };
    } else if (holds) {
      ask ??= toFinding(tool, rule, "needs a person's approval because of", "is true");
    }
  }
  return unmet && !isMet ? { deny: unmet } : { ask };
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
function toVariables(tool: PolicyTool, input: unknown, caller: Caller): ConditionVariables {
  const variables: Record<string, unknown> = Object.create(null);
  if (isObject(input)) Object.assign(variables, input);
  return Object.assign(variables, { input, caller, tool: tool.name });
}
