import { type ErrorCode, ToolError } from "../errors.ts";
import type { CallDecision, DecideCallInput } from "../policy/calls/decide.ts";
import { conditionalGate } from "../policy/gates/conditional.ts";
import type { CallerPolicy, ConfiguredPolicy } from "../policy/config/config.ts";
import { decideOne, type DecideToolsInput, type DecisionParts, decideWith } from "../policy/decide/decide-with.ts";
import { type IndexedTools, indexTools } from "../policy/entries/indexed-tools.ts";
import type { Among } from "../policy/entries/list-matcher.ts";
import { partsWithoutPolicy } from "../policy/decide/no-policy.ts";
import { explainWith, type ToolExplanation } from "../policy/explain/explain-with.ts";
import type { GateFinding, PolicyGate } from "../policy/gates/gate.ts";
import type { Decision, PolicyTool, PolicyWarning } from "../policy/policy.ts";
import { availabilityGate } from "../policy/gates/availability.ts";
import type { Caller, PathCheck } from "../tool/context.ts";
import type { ToolCollection } from "../tool/list-origin.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { isOffered, reasonOf, type Availability, type ToolState } from "./availability.ts";
import { createSharedView, type SharedView } from "./shared-view.ts";
import { createViewMemory } from "./view-memory.ts";

/** What one caller may see, and what decided about each tool. */
export interface RegistryView {
  /** On offer to this caller, in the registry's order; the same array until something changes. */
  readonly tools: readonly ToolDefinition[];
  /** All tools that exist for this caller, on offer or not; those that exist for this caller only come last. */
  readonly known: readonly ToolDefinition[];
  readonly warnings: readonly PolicyWarning[];
  /** The tool with this exact name, if it is on offer to this caller. Costs the same however many tools there are. */
  offered(name: string): ToolDefinition | undefined;
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
  /**
   * What the policy says about the arguments of a call.
   * @param present the tool as it is registered now, if it changed since the call began
   */
  decideArguments(tool: ToolDefinition, input: unknown, caller: Caller, present?: ToolDefinition): CallDecision;
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

const noPolicy = {};
const noTools: ReadonlyMap<string, ToolDefinition> = new Map();

export function createPermission(facts: PermissionFacts): Permission {
  const memory = createViewMemory(facts.revision);
  let configured: ConfiguredPolicy | undefined;
  let applied = applyPolicy(undefined, facts.workspace);

  function policyFor(caller: Caller): CallerPolicy | undefined {
    if (configured === undefined) return undefined;
    const policy = policyOf(configured, caller);
    return Object.isFrozen(policy) ? policy : memory.samePolicy(configured, caller, policy);
  }

  function viewOf(caller: Caller): SharedView {
    const policy = policyFor(caller);
    const forAll = (): SharedView => memory.shared(policy ?? noPolicy, caller, () => createView(policy, caller, noTools));
    if (!facts.hasCallerTools()) return forAll();
    return memory.ofCaller(policy ?? noPolicy, caller, () => {
      const own = new Map(facts.toolsFor(caller).map((tool) => [tool.name, tool]));
      return own.size === 0 ? forAll() : createView(policy, caller, own);
    });
  }

  function createView(policy: CallerPolicy | undefined, caller: Caller, own: SharedView["own"]): SharedView {
    const shared = facts.collection.tools();
    const ownTools = [...own.values()];
    const among = own.size === 0 ? [indexTools(shared)] : [indexTools(shared), indexTools(ownTools)];
    const { parts, settledGates: gates } = applied;
    return createSharedView({
      own,
      among,
      policy,
      origin: { model: { provider: caller.provider, model: caller.model }, collection: facts.collection },
      decideAll: () => decideWith({ ...inputFor(caller, policy), tools: own.size === 0 ? shared : [...shared, ...ownTools], gates }, parts),
      isOffered: (tool) => isOffered(facts.availability(tool).state),
      grow: memory.grow,
    });
  }

  function inputFor(caller: Caller, policy: CallerPolicy | undefined): Omit<DecideToolsInput, "tools"> {
    return {
      steps: policy?.steps ?? [],
      caller,
      availabilityOf: (tool) => toFinding(facts.availability(tool as ToolDefinition)),
      ...(policy && { groups: policy.groups, rules: policy.rules }),
    };
  }

  function decide(one: IndexedTools, among: Among, view: SharedView, caller: Caller): Decision {
    return decideOne(one, among, { ...inputFor(caller, view.policy), gates: applied.settledGates }, applied.parts);
  }

  /** Among all tools, of which it may be an older version. */
  const decisionIn = (view: SharedView, tool: PolicyTool, caller: Caller): Decision =>
    view.decision(tool, (one) => decide(one, amongWith(one, view), view, caller));

  function decision(name: string, caller: Caller): Decision | undefined {
    const view = viewOf(caller);
    const tool = view.find(name);
    return tool && decisionIn(view, tool, caller);
  }

  /** As if the tool were registered beside the others. */
  function decisionAbout(tool: PolicyTool, caller: Caller): Decision {
    const view = viewOf(caller);
    const known = view.find(tool.name);
    if (known !== undefined) return decisionIn(view, known, caller);
    const one = indexTools([tool]);
    return decide(one, amongWith(one, view), view, caller);
  }

  const isOpen = (tool: ToolDefinition, caller: Caller): boolean =>
    isOffered(facts.availability(tool).state) && isConditionMet(tool, caller);
  const explain = (name: string, caller: Caller): ToolExplanation => {
    const { policy, among } = viewOf(caller);
    return explainWith(name, among, inputFor(caller, policy), applied.parts);
  };

  function hidden(tool: ToolDefinition, caller: Caller): Refusal {
    const view = viewOf(caller);
    const among = amongWith(view.pick(tool), view);
    const { sentences } = explainWith(tool.name, among, inputFor(caller, view.policy), applied.parts);
    return { code: "TOOL_NOT_ALLOWED", error: sentences.join(" ") };
  }

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
      let tools: readonly ToolDefinition[] | undefined;
      return {
        get tools() {
          return (tools ??= view.offered((tool) => isOpen(tool, caller)));
        },
        get known() {
          return view.among.flatMap((index) => index.tools as readonly ToolDefinition[]);
        },
        get warnings() {
          return view.warningsFor(caller);
        },
        offered(name) {
          const now = viewOf(caller);
          const tool = now.find(name);
          return tool !== undefined && decisionIn(now, tool, caller).allowed && isOpen(tool, caller) ? tool : undefined;
        },
        decision: (name) => decision(name, caller),
        decisionAbout: (tool) => decisionAbout(tool, caller),
      };
    },
    explain,
    decision,
    callerTool: (name, caller) => (facts.hasCallerTools() ? viewOf(caller).own.get(name) : undefined),
    decideArguments(tool, input, caller, present = tool) {
      const view = viewOf(caller);
      const rules = view.policy?.rules;
      return applied.decideCall({ tool, input, caller, decision: decisionIn(view, present, caller), ...(rules && { rules }) });
    },
    pathCheck(tool, caller) {
      const rules = policyFor(caller)?.rules;
      return rules && applied.pathCheck(tool, rules);
    },
    refusal(tool, caller) {
      if (!decisionIn(viewOf(caller), tool, caller).allowed) return hidden(tool, caller);
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

/** What a tool is decided among: an older version comes before the one that has its name. */
function amongWith(one: IndexedTools, { among, find }: SharedView): Among {
  const tool = one.tools[0]!;
  return find(tool.name) === tool ? among : [one, ...among];
}

function isConditionMet(tool: ToolDefinition, caller: Caller): boolean {
  return conditionalGate(tool, { caller, isNamed: () => true }) === undefined;
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
