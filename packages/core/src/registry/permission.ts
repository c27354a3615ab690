import { type ErrorCode, ToolError } from "../errors.ts";
import type { CallDecision, DecideCallInput } from "../policy/calls/decide.ts";
import { createDecisionCache } from "../policy/decide/cache.ts";
import { conditionalGate } from "../policy/gates/conditional.ts";
import type { CallerPolicy, ConfiguredPolicy } from "../policy/config/config.ts";
import { type DecidedTools, type DecideToolsInput, type DecisionParts, decideWith } from "../policy/decide/decide-with.ts";
import { partsWithoutPolicy } from "../policy/decide/no-policy.ts";
import { explainWith, type ToolExplanation } from "../policy/explain/explain-with.ts";
import type { GateFinding, PolicyGate } from "../policy/gates/gate.ts";
import type { Decision, PolicyTool, PolicyWarning } from "../policy/policy.ts";
import { availabilityGate } from "../policy/gates/availability.ts";
import type { Caller, PathCheck } from "../tool/context.ts";
import { type ListOrigin, setOrigin, type ToolCollection } from "../tool/list-origin.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { isOffered, reasonOf, type Availability, type ToolState } from "./availability.ts";

/** What one caller may see, and what decided about each tool. */
export interface RegistryView {
  /** On offer to this caller, in the registry's order; the same array until something changes. */
  readonly tools: readonly ToolDefinition[];
  readonly warnings: readonly PolicyWarning[];
  decision(name: string): Decision | undefined;
  /** The same for a tool that need not be registered: a draft, or one that was removed. A registered one is found by its name. */
  decisionAbout(tool: PolicyTool): Decision;
}

/** Decides who may use what. Lists, explanations and calls ask the same function, so what may be listed is what may be called. */
export interface Permission {
  /** False while there is no policy: tools without conditions of their own are then open to everyone. */
  readonly isActive: boolean;
  /** The policy in force. */
  readonly policy: ConfiguredPolicy | undefined;
  setPolicy(policy: ConfiguredPolicy | undefined): void;
  view(caller: Caller): RegistryView;
  explain(name: string, caller: Caller): ToolExplanation;
  decision(name: string, caller: Caller): Decision | undefined;
  /** What the policy says about the arguments of a call. */
  decideArguments(tool: ToolDefinition, input: unknown, caller: Caller): CallDecision;
  /** What the path rules say about the files that a handler opens; undefined if there are none for this call. */
  pathCheck(tool: ToolDefinition, caller: Caller): PathCheck | undefined;
  /** A tool that exists for this caller only, by its exact name. */
  callerTool(name: string, caller: Caller): ToolDefinition | undefined;
  /** Why this caller may not call this tool now. */
  refusal(tool: ToolDefinition, caller: Caller): Refusal | undefined;
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly error: string;
}

export interface PermissionFacts {
  revision(): number;
  /** The tools that everybody shares, with their sources. */
  readonly collection: ToolCollection;
  /** Whether there may be tools that exist for single callers only. */
  hasCallerTools(): boolean;
  /** The tools that exist for this caller only. */
  toolsFor(caller: Caller): readonly ToolDefinition[];
  availability(tool: ToolDefinition): Availability;
  /** Where relative paths in the arguments of calls start. @default the working directory */
  readonly workspace: { readonly root: string } | undefined;
}

/** Gates whose answer may change while neither tools nor policy do; they are asked every time, the others once. */
const freshGates: readonly PolicyGate[] = [availabilityGate, conditionalGate];

/** What the policy says of one caller, and what follows for the tools as they are. */
interface CallerView {
  readonly own: ReadonlyMap<string, ToolDefinition>;
  readonly policy: CallerPolicy | undefined;
  readonly decided: DecidedTools<ToolDefinition>;
  /** Decisions that were asked for. */
  readonly decisions: Map<string, Decision>;
  readonly origin: ListOrigin;
  /** The last list of tools on offer; given out again as long as it is the same, so that what was made from it is found again. */
  offered: readonly ToolDefinition[] | undefined;
}

const noPolicy = {};

export function createPermission(facts: PermissionFacts): Permission {
  // Principal, session and run are left out: only conditions look at them, and those are asked every time.
  const sharedViews = createDecisionCache<CallerView>({
    facts: ["agent", "provider", "model", "channel", "group", "sender", "owner", "subagentDepth", "sandboxed", "phase", "tenant", "roles"],
  });
  // A source that has tools for single callers is told every fact, and may look at any.
  const callerViews = createDecisionCache<CallerView>();
  let configured: ConfiguredPolicy | undefined;
  let applied = applyPolicy(undefined, facts.workspace);

  function inputFor(caller: Caller, policy: CallerPolicy | undefined, own: CallerView["own"]): DecideToolsInput<ToolDefinition> {
    return {
      tools: own.size === 0 ? facts.collection.tools() : [...facts.collection.tools(), ...own.values()],
      steps: policy?.steps ?? [],
      caller,
      availabilityOf: (tool) => toFinding(facts.availability(tool as ToolDefinition)),
      ...(policy && { groups: policy.groups, rules: policy.rules }),
    };
  }

  function viewOf(caller: Caller): CallerView {
    const isShared = !facts.hasCallerTools();
    return (isShared ? sharedViews : callerViews).get(facts.revision(), configured ?? noPolicy, caller, () => {
      const policy = configured && policyOf(configured, caller);
      const own = new Map(facts.toolsFor(caller).map((tool) => [tool.name, tool]));
      return {
        own,
        policy,
        decided: decideWith({ ...inputFor(caller, policy, own), gates: applied.settledGates }, applied.parts),
        decisions: new Map(),
        origin: { caller: isShared ? decidingFacts(caller) : caller, collection: facts.collection },
        offered: undefined,
      };
    });
  }

  function decision(name: string, caller: Caller): Decision | undefined {
    const { decided, decisions } = viewOf(caller);
    let known = decisions.get(name);
    if (known === undefined && (known = decided.decisions.get(name)) !== undefined) decisions.set(name, known);
    return known;
  }

  function decisionAbout(tool: PolicyTool, caller: Caller): Decision {
    const { policy } = viewOf(caller);
    const { parts, settledGates: gates } = applied;
    const alone = { tools: [tool], steps: policy?.steps ?? [], caller, gates, ...(policy && { groups: policy.groups }) };
    return decision(tool.name, caller) ?? decideWith(alone, parts).decisions.get(tool.name)!;
  }

  const isConditionMet = (tool: ToolDefinition, caller: Caller): boolean =>
    conditionalGate(tool, { caller, isNamed: () => true }) === undefined;
  const explain = (name: string, caller: Caller): ToolExplanation => {
    const { policy, own } = viewOf(caller);
    return explainWith(name, inputFor(caller, policy, own), applied.parts);
  };
  const hidden = (tool: ToolDefinition, caller: Caller): Refusal => ({
    code: "TOOL_NOT_ALLOWED",
    error: explain(tool.name, caller).sentences.join(" "),
  });

  return {
    get isActive() {
      return configured !== undefined;
    },
    get policy() {
      return configured;
    },
    setPolicy(policy) {
      applied = applyPolicy(policy, facts.workspace);
      configured = policy;
    },
    view(caller) {
      const view = viewOf(caller);
      const { decided } = view;
      const tools = decided.tools.filter((tool) => isOffered(facts.availability(tool).state) && isConditionMet(tool, caller));
      if (view.offered === undefined || !isSameList(tools, view.offered)) view.offered = setOrigin(Object.freeze(tools), view.origin);
      return {
        tools: view.offered,
        warnings: decided.warnings,
        decision: (name) => decision(name, caller),
        decisionAbout: (tool) => decisionAbout(tool, caller),
      };
    },
    explain,
    decision,
    callerTool: (name, caller) => viewOf(caller).own.get(name),
    decideArguments(tool, input, caller) {
      const known = decision(tool.name, caller);
      const rules = viewOf(caller).policy?.rules;
      return applied.decideCall({ tool, input, caller, ...(known && { decision: known }), ...(rules && { rules }) });
    },
    pathCheck(tool, caller) {
      const rules = viewOf(caller).policy?.rules;
      return rules && applied.pathCheck(tool, rules);
    },
    refusal(tool, caller) {
      if (decision(tool.name, caller)?.allowed !== true) return hidden(tool, caller);
      const availability = facts.availability(tool);
      if (!isOffered(availability.state)) {
        const why = reasonOf(availability);
        return {
          code: codeOf(availability.state),
          error: `Tool "${tool.name}" is ${wordOf(availability.state)}.${why === undefined ? "" : ` ${why}`}`,
        };
      }
      return isConditionMet(tool, caller) ? undefined : hidden(tool, caller);
    },
  };
}

/** What a policy is applied with. */
interface AppliedPolicy {
  readonly parts: DecisionParts;
  readonly settledGates: readonly PolicyGate[];
  decideCall(call: DecideCallInput): CallDecision;
  pathCheck(tool: ToolDefinition, rules: CallerPolicy["rules"]): PathCheck | undefined;
}

function applyPolicy(policy: ConfiguredPolicy | undefined, workspace: PermissionFacts["workspace"]): AppliedPolicy {
  const parts = policy?.evaluator.parts ?? partsWithoutPolicy;
  const settledGates = parts.gates.filter((gate) => !freshGates.includes(gate));
  if (policy === undefined) return { parts, settledGates, decideCall: () => allowed, pathCheck: () => undefined };
  const { decideCall, createPathCheck, createPathResolver } = policy.evaluator;
  const resolvePath = createPathResolver(workspace);
  return {
    parts,
    settledGates,
    decideCall: (call) => decideCall({ ...call, resolvePath }),
    pathCheck: (tool, rules) => createPathCheck(tool, rules, resolvePath),
  };
}

const allowed: CallDecision = Object.freeze({ outcome: "allow" });

/** The facts of a caller that views are kept by: two callers that share them share a view. */
function decidingFacts({ principal: _principal, session: _session, run: _run, ...shared }: Caller): Caller {
  return shared;
}

function isSameList(tools: readonly ToolDefinition[], others: readonly ToolDefinition[]): boolean {
  return tools.length === others.length && tools.every((tool, index) => tool === others[index]);
}

function toFinding({ state, fact, remedy }: Availability): GateFinding | undefined {
  if (isOffered(state)) return undefined;
  const reason = fact ?? `it is ${wordOf(state)}`;
  return { rule: state === "unavailable" ? "capability" : "state", reason, ...(remedy !== undefined && { remedy }) };
}

function codeOf(state: ToolState): ErrorCode {
  if (state === "disabled") return "TOOL_DISABLED";
  if (state === "unavailable") return "TOOL_UNAVAILABLE";
  return state === "needs-configuration" ? "NEEDS_CONFIGURATION" : "TOOL_NOT_ALLOWED";
}

function wordOf(state: ToolState): string {
  return state === "needs-configuration" ? "not configured" : state;
}

/** A policy without steps would allow everything. */
function policyOf(configured: ConfiguredPolicy, caller: Caller): CallerPolicy {
  const policy: CallerPolicy | undefined = configured.for(caller);
  if (Array.isArray(policy?.steps)) return policy;
  throw new ToolError("CONFIG_INVALID", "The policy of the registry has no steps for this caller. Use one that readPolicyConfig returned.");
}
