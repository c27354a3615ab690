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
  /** What was decided about the tool; its `ask` holds for every call. */
  readonly decision?: Decision;
  readonly rules?: CallRules;
  /** @default follows links from the working directory */
  readonly resolvePath?: PathResolver;
}

/** What may be done with one call. A refusal goes before a question, a question before a permission. */
export type CallDecision =
  | { readonly outcome: "allow" }
  | (CallFinding & { readonly outcome: "deny" })
  /** `digest` binds the answer to this tool and these arguments. */
  | (CallFinding & { readonly outcome: "ask"; readonly digest: string });

export interface CallFinding {
  readonly rule: "policy" | "path" | "condition" | "ask";
  /** The place in the configuration. */
  readonly label: string;
  readonly source?: string;
  /** The pattern, the condition or the entry that decided. */
  readonly entry?: string;
  /** A whole sentence. */
  readonly reason: string;
}

/** Decides about the arguments of a call, where `decideTools` decided about the tool. Never throws: what cannot be told is refused. */
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
  const reason = `Each call of \`${tool.name}\` waits for a person, as ${label} asks by \`${entry}\`.`;
  return { rule: "ask", label, entry, reason, ...(source !== undefined && { source }) };
}

function checkPaths({ paths }: ToolRules, { tool, input, resolvePath = createPathResolver() }: DecideCallInput): CallFinding | undefined {
  for (const { rule, place } of paths) {
    const fault = findPathFault(rule, tool, isObject(input) ? input : {}, resolvePath);
    if (fault === undefined) continue;
    const entry = fault.entry === undefined ? {} : { entry: fault.entry };
    return { rule: "path", ...place, ...entry, reason: pathSentence(tool, place, fault) };
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
      else unmet ??= toFinding(tool, rule, "is refused", holds === false ? "does not hold" : holds);
    } else if (holds !== true && holds !== false) {
      return { deny: toFinding(tool, rule, "is refused", holds) };
    } else if (holds && rule.effect === "deny") {
      return { deny: toFinding(tool, rule, "is refused", "holds") };
    } else if (holds) {
      ask ??= toFinding(tool, rule, "waits for a person", "holds");
    }
  }
  return unmet && !isMet ? { deny: unmet } : { ask };
}

/** True, false, or why it could not be told. */
function evaluate(condition: Condition, variables: ConditionVariables): boolean | string {
  try {
    const holds: unknown = condition(variables);
    return typeof holds === "boolean" ? holds : "gave no true or false";
  } catch (error) {
    return `failed: ${describeThrown(error).split("\n")[0]}`;
  }
}

function toFinding(tool: PolicyTool, { text, reason, place }: ToolCondition, verdict: string, because: string): CallFinding {
  const own = reason === undefined ? "" : ` ${reason}`;
  const at = place.source === undefined ? place.label : `${place.label} (${place.source})`;
  const sentence = `The call of \`${tool.name}\` ${verdict} at ${at}: \`${text}\` ${because}.${own}`;
  return { rule: "condition", ...place, entry: text, reason: sentence };
}

/** The input's properties by their own names, and `input`, `caller` and `tool`, which no property can take the place of. */
function toVariables(tool: PolicyTool, input: unknown, caller: Caller): ConditionVariables {
  const variables: Record<string, unknown> = Object.create(null);
  if (isObject(input)) Object.assign(variables, input);
  return Object.assign(variables, { input, caller, tool: tool.name });
}
