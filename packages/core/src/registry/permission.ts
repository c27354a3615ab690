import type { ErrorCode } from "../errors.ts";
import { conditionalGate } from "../policy/conditional.ts";
import { type DecidedTools, type DecideToolsInput, decideTools, toolGates } from "../policy/decide.ts";
import { explainTool, type ToolExplanation } from "../policy/explain.ts";
import type { GateFinding, PolicyGate } from "../policy/gate.ts";
import type { ToolGroups } from "../policy/groups.ts";
import type { Decision, PolicyWarning, ToolPolicyStep } from "../policy/policy.ts";
import { standingGate } from "../policy/standing.ts";
import type { Caller } from "../tool/context.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { isOffered, type Standing, type ToolState } from "./states.ts";

/** What one caller may see, and what decided about each tool. */
export interface RegistryView {
  /** On offer to this caller, in the registry's order. */
  readonly tools: readonly ToolDefinition[];
  readonly warnings: readonly PolicyWarning[];
  decision(name: string): Decision | undefined;
}

/** The steps for one caller, and the user's own groups. */
export interface CallerPolicy {
  readonly steps: readonly ToolPolicyStep[];
  readonly groups?: ToolGroups;
}

/** Decides who may use what. Lists, explanations and calls ask the same function, so what may be listed is what may be called. */
export interface Permission {
  /** False while there is no policy: tools without conditions of their own are then open to everyone. */
  readonly isActive: boolean;
  view(caller: Caller): RegistryView;
  explain(name: string, caller: Caller): ToolExplanation;
  /** Why this caller may not call this tool now. */
  refusal(tool: ToolDefinition, caller: Caller): Refusal | undefined;
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly error: string;
}

export interface PermissionFacts {
  revision(): number;
  tools(): readonly ToolDefinition[];
  standing(tool: ToolDefinition): Standing;
  policyFor: ((caller: Caller) => CallerPolicy) | undefined;
}

/** Gates whose answer may change while neither tools nor policy do; they are asked every time, the others once. */
const freshGates: readonly PolicyGate[] = [standingGate, conditionalGate];
const settledGates: readonly PolicyGate[] = toolGates.filter((gate) => !freshGates.includes(gate));

const maxViews = 256;

export function createPermission(facts: PermissionFacts): Permission {
  /** Decisions per caller, in the order they were last made. */
  const views = new Map<string, { readonly revision: number; readonly decided: DecidedTools<ToolDefinition>; readonly decisions: Map<string, Decision> }>();
  const byCaller = new WeakMap<Caller, string>();

  function inputFor(caller: Caller): DecideToolsInput<ToolDefinition> {
    const policy = facts.policyFor?.(caller);
    return {
      tools: facts.tools(),
      steps: policy?.steps ?? [],
      caller,
      standingOf: (tool) => toFinding(facts.standing(tool as ToolDefinition)),
      ...(policy?.groups && { groups: policy.groups }),
    };
  }

  function viewOf(caller: Caller): { readonly decided: DecidedTools<ToolDefinition>; readonly decisions: Map<string, Decision> } {
    const key = keyOf(caller);
    const known = views.get(key);
    if (known !== undefined && known.revision === facts.revision()) return known;
    const view = { revision: facts.revision(), decided: decideTools({ ...inputFor(caller), gates: settledGates }), decisions: new Map<string, Decision>() };
    views.delete(key);
    views.set(key, view);
    if (views.size > maxViews) views.delete(views.keys().next().value!);
    return view;
  }

  /** A caller that cannot change is known by its identity; any other by what it says now. */
  function keyOf(caller: Caller): string {
    const known = byCaller.get(caller);
    if (known !== undefined) return known;
    const key = JSON.stringify(caller, Object.keys(caller).sort());
    if (Object.isFrozen(caller)) byCaller.set(caller, key);
    return key;
  }

  function decisionOf(name: string, caller: Caller): Decision | undefined {
    const { decided, decisions } = viewOf(caller);
    let decision = decisions.get(name);
    if (decision === undefined) {
      decision = decided.decisions.get(name);
      if (decision !== undefined) decisions.set(name, decision);
    }
    return decision;
  }

  const isOpen = (tool: ToolDefinition, caller: Caller): boolean =>
    isOffered(facts.standing(tool).state) && conditionalGate(tool, { caller, isNamed: () => true }) === undefined;

  const explain = (name: string, caller: Caller): ToolExplanation => explainTool(name, inputFor(caller));

  return {
    isActive: facts.policyFor !== undefined,
    view(caller) {
      const { decided } = viewOf(caller);
      return {
        tools: decided.tools.filter((tool) => tool.metadata === undefined || isOpen(tool, caller)),
        warnings: decided.warnings,
        decision: (name) => decisionOf(name, caller),
      };
    },
    explain,
    refusal(tool, caller) {
      const decision = decisionOf(tool.name, caller);
      if (decision?.allowed !== true) return { code: "TOOL_NOT_ALLOWED", error: explain(tool.name, caller).sentences.join(" ") };
      const { state, reason } = facts.standing(tool);
      if (!isOffered(state)) return { code: codeOf(state), error: `Tool "${tool.name}" is ${wordOf(state)}. ${reason ?? ""}`.trim() };
      if (conditionalGate(tool, { caller, isNamed: () => true }) !== undefined) {
        return { code: "TOOL_NOT_ALLOWED", error: explain(tool.name, caller).sentences.join(" ") };
      }
      return undefined;
    },
  };
}

function toFinding({ state, reason }: Standing): GateFinding | undefined {
  if (isOffered(state)) return undefined;
  return { rule: state === "unavailable" ? "capability" : "state", reason: reason ?? `it is ${wordOf(state)}` };
}

function codeOf(state: ToolState): ErrorCode {
  if (state === "disabled") return "TOOL_DISABLED";
  if (state === "unavailable") return "TOOL_UNAVAILABLE";
  return state === "needs-configuration" ? "NEEDS_CONFIGURATION" : "TOOL_NOT_ALLOWED";
}

function wordOf(state: ToolState): string {
  return state === "needs-configuration" ? "not configured" : state;
}
