import { ToolError } from "../../errors.ts";
import type { Caller } from "../../tool/context.ts";
import type { ToolClasses } from "../entries/classes.ts";
import type { Among } from "../entries/list-matcher.ts";
import type { EvaluatedStep } from "./evaluate-step.ts";
import { indexTools, type IndexedTools } from "../entries/indexed-tools.ts";
import { type Outcomes, isHidden, outcomeCodes } from "./decisions.ts";
import type { CallRules } from "../calls/rules.ts";
import type { GateFacts, GateFinding, PolicyGate } from "../gates/gate.ts";
import type { ToolGroups } from "../catalog/groups.ts";
import type { PolicyTool, ToolPolicyStep } from "../policy.ts";

/** What is decided about, and for whom. */
export interface EvaluationInput<Tool extends PolicyTool = PolicyTool> {
  readonly tools: readonly Tool[];
  readonly steps: readonly ToolPolicyStep[];
  /** Who asks. @default an unknown caller */
  readonly caller?: Caller;
  /** Why a tool is not available, apart from policy: a missing capability, a state. */
  readonly availabilityOf?: (tool: PolicyTool) => GateFinding | undefined;
  /** Groups in addition to those of the catalog. */
  readonly groups?: ToolGroups;
  /** The rules over the arguments of calls: a tool whose every call they refuse is hidden. */
  readonly rules?: CallRules;
}

/** The steps of an input, read. */
export interface ReadSteps {
  /** Whether an allow list of some step names this plugin tool, its plugin, or `group:plugins`. */
  isNamed(tool: PolicyTool): boolean;
  /** What each list of each step matches. Tools that no list can tell apart are one class. */
  evaluate(index: IndexedTools, unavailable: ReadonlySet<number>): Pick<Evaluation, "classes" | "steps">;
  /** The same for the only tool of `one`, decided among all tools, without a look at each of them. */
  evaluateOne(one: IndexedTools, among: Among): readonly EvaluatedStep[];
}

/** What every decision is based on: which gate hides each tool, and what each list of each step matches. */
export interface Evaluation {
  readonly index: IndexedTools;
  /** What entries match is known only if there are steps. */
  readonly classes: Pick<ToolClasses, "classOf" | "classes"> & Partial<ToolClasses>;
  readonly steps: readonly EvaluatedStep[];
  readonly facts: GateFacts;
  /** Tool → the first gate that hides it. */
  readonly findings: ReadonlyMap<number, GateFinding>;
}

export function evaluateTools(
  input: EvaluationInput,
  gates: readonly PolicyGate[],
  readSteps: (input: EvaluationInput) => ReadSteps,
): Evaluation {
  if (!Array.isArray(input.steps)) throw new ToolError("POLICY_INVALID", "The steps of a policy must be a list.");
  const index = indexTools(input.tools);
  const read = readSteps(input);
  const facts = toGateFacts(input, read);
  const findings = findClosedGates(index.tools, gates, facts);
  const unavailable = new Set([...findings.keys()].filter((tool) => isUnavailable(findings.get(tool)!)));
  return { index, ...read.evaluate(index, unavailable), facts, findings };
}

/** What the gates and steps say of one tool. @param input its tools are not looked at: `among` stands for them */
export function evaluateOne(
  one: IndexedTools,
  among: Among,
  input: Omit<EvaluationInput, "tools">,
  gates: readonly PolicyGate[],
  read: ReadSteps,
): Evaluation {
  const facts = toGateFacts(input, read);
  return { index: one, classes: onlyClass, steps: read.evaluateOne(one, among), facts, findings: findClosedGates(one.tools, gates, facts) };
}

const onlyClass: Evaluation["classes"] = { classOf: new Int32Array(1), classes: [{ isPlugin: false, isAvailable: true }] };

function toGateFacts({ caller = {}, availabilityOf, rules }: Omit<EvaluationInput, "tools">, read: ReadSteps): GateFacts {
  return { caller, isNamed: (tool) => read.isNamed(tool), availabilityOf, ...(rules && { rules }) };
}

/** Each step keeps a subset of what came before; a deny is final. */
export function foldSteps({ steps, classes: { classes, classOf }, findings }: Evaluation): Outcomes {
  const count = classes.length;
  const rules = new Uint8Array(count);
  const decisive = new Uint16Array(count);
  const entries = new Int32Array(count);
  const asks = new Uint16Array(count);
  for (const [number, { deny, allow, ask }] of steps.entries()) {
    for (let tools = 0; tools < count; tools++) {
      if (isHidden(rules[tools]!)) continue;
      const denied = deny?.byClass[tools] ?? 0;
      const allowed = allow?.byClass[tools] ?? 0;
      if (ask && asks[tools] === 0 && ask.byClass[tools] !== 0) asks[tools] = number + 1;
      if (denied === 0 && allow === undefined) continue;
      rules[tools] = denied !== 0 ? outcomeCodes.deny : allowed !== 0 ? outcomeCodes.allow : outcomeCodes.notInAllow;
      decisive[tools] = number;
      entries[tools] = (denied || allowed) - 1;
    }
  }
  return { classOf, rules, steps: decisive, entries, asks, findings };
}

function findClosedGates(tools: readonly PolicyTool[], gates: readonly PolicyGate[], facts: GateFacts): Map<number, GateFinding> {
  const findings = new Map<number, GateFinding>();
  if (gates.length === 0) return findings;
  for (let position = 0; position < tools.length; position++) {
    for (const gate of gates) {
      const finding = gate(tools[position]!, facts);
      if (finding === undefined) continue;
      findings.set(position, finding);
      break;
    }
  }
  return findings;
}

function isUnavailable({ rule }: GateFinding): boolean {
  return rule === "capability" || rule === "state";
}
