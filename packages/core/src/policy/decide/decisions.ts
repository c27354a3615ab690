import type { Caller } from "../../tool/context.ts";
import { registrationOf } from "../../tool/registered.ts";
import type { ListEntry } from "../entries/entries.ts";
import { matchedName } from "../entries/matched-name.ts";
import type { IndexedTools } from "../entries/indexed-tools.ts";
import type { EvaluatedStep } from "./evaluate-step.ts";
import type { GateFinding } from "../gates/gate.ts";
import type { AskRule, Decision, ListName, PolicyLocation, PolicyTool, ToolPolicyStep } from "../policy.ts";

/** For every tool, by name: allowed or not, and what decided. Each decision is made when it is first read. */
export type Decisions = ReadonlyMap<string, Decision>;

/** The result of applying all steps: a few numbers for each class of tools. */
export interface Outcomes {
  /** Tool → its class. */
  readonly classOf: Int32Array;
  /** Class → a code. */
  readonly rules: Uint8Array;
  /** Class → the step that decided. */
  readonly steps: Uint16Array;
  /** Class → the entry that decided, in the list of that step. */
  readonly entries: Int32Array;
  /** Class → 1 + the first step that asks, or 0. */
  readonly asks: Uint16Array;
  /** Tool → the gate that hides it. */
  readonly findings: ReadonlyMap<number, GateFinding>;
}

/** Values of `Outcomes.rules`; everything from `deny` on hides the tool. */
export const outcomeCodes = { none: 0, allow: 1, deny: 2, notInAllow: 3 } as const;

export function isHidden(code: number): boolean {
  return code >= outcomeCodes.deny;
}

export function createDecisions(index: IndexedTools, outcomes: Outcomes, steps: readonly EvaluatedStep[], caller: Caller): Decisions {
  return new DecisionTable(index.positions, (position) => decisionOf(position, index.tools[position]!, outcomes, steps, caller));
}

/** "agents.support.tools.deny", with its file and line if known. */
export function locationOf(step: ToolPolicyStep, list: ListName, position?: number): PolicyLocation {
  return step.locationOf?.(list, position) ?? { label: `${step.label ?? step.id}.${list}` };
}

/** What decided about the tool at a position. */
export function decisionOf(
  position: number,
  tool: PolicyTool,
  outcomes: Outcomes,
  steps: readonly EvaluatedStep[],
  caller: Caller,
): Decision {
  const { name } = tool;
  const finding = outcomes.findings.get(position);
  if (finding) {
    const { remedy: _, ...told } = finding;
    return Object.freeze({ name, allowed: false, ...told, ...registeredAs(tool) });
  }
  const number = outcomes.classOf[position]!;
  const code = outcomes.rules[number]!;
  const ask = isHidden(code) ? undefined : toAsk(number, tool, outcomes, steps);
  if (code === outcomeCodes.none) return Object.freeze({ name, allowed: true, rule: "none", ...(ask && { ask }), ...registeredAs(tool) });
  const { step, allow, deny } = steps[outcomes.steps[number]!]!;
  if (code === outcomeCodes.notInAllow) {
    const place = labelOf(step, "allow");
    return Object.freeze({ name, allowed: false, rule: "not-in-allow", step: step.id, ...place, ...registeredAs(tool) });
  }
  const allowed = code === outcomeCodes.allow;
  const entry = (allowed ? allow : deny)!.entries[outcomes.entries[number]!]!;
  return Object.freeze({
    name,
    allowed,
    rule: allowed ? "allow" : "deny",
    step: step.id,
    ...toPlace(step, entry),
    ...(allowed ? {} : reasonFor(step, caller)),
    ...(ask && { ask }),
    ...matchedBy(entry, tool, allowed),
    ...registeredAs(tool),
  });
}

function matchedBy(entry: ListEntry, tool: PolicyTool, grants: boolean): Pick<Decision, "matched"> {
  const matched = matchedName(entry, tool, grants);
  return matched === undefined ? {} : { matched };
}

function registeredAs(tool: PolicyTool): Pick<Decision, "registered"> {
  const known = registrationOf(tool);
  return known === undefined || known.name === tool.name ? {} : { registered: { name: known.name, isConfirmed: known.isConfirmed } };
}

/** Why a step without a configured list hides tools from this caller. */
export function reasonFor({ reason }: ToolPolicyStep, caller: Caller): { readonly reason?: string } {
  if (reason === undefined) return {};
  return { reason: typeof reason === "function" ? reason(caller) : reason };
}

function toAsk(number: number, tool: PolicyTool, { asks }: Outcomes, steps: readonly EvaluatedStep[]): AskRule | undefined {
  if (asks[number] === 0) return undefined;
  const { step, ask } = steps[asks[number]! - 1]!;
  const entry = ask!.entries[ask!.byClass[number]! - 1]!;
  return Object.freeze({ step: step.id, ...toPlace(step, entry), ...matchedBy(entry, tool, false) });
}

/** The location of an entry, and the entry. */
export function toPlace(step: ToolPolicyStep, entry: ListEntry): { label: string; source?: string; entry: string } {
  return { ...labelOf(step, entry.list, entry.position), entry: entry.text };
}

function labelOf(step: ToolPolicyStep, list: ListName, position?: number): { label: string; source?: string } {
  const { label, source } = locationOf(step, list, position);
  return source === undefined ? { label } : { label, source };
}

/** A map that makes only the decisions that are read. Of tools with the same name, the first counts. */
class DecisionTable implements ReadonlyMap<string, Decision> {
  readonly #positions: ReadonlyMap<string, number>;
  readonly #decide: (tool: number) => Decision;
  /** Decisions that were read once. */
  readonly #made: (Decision | undefined)[] = [];

  constructor(positions: ReadonlyMap<string, number>, decide: (tool: number) => Decision) {
    this.#positions = positions;
    this.#decide = decide;
  }

  get size(): number {
    return this.#positions.size;
  }

  has(name: string): boolean {
    return this.#positions.has(name);
  }

  get(name: string): Decision | undefined {
    const position = this.#positions.get(name);
    return position === undefined ? undefined : this.#at(position);
  }

  keys(): MapIterator<string> {
    return this.#positions.keys();
  }

  *values(): MapIterator<Decision> {
    for (const position of this.#positions.values()) yield this.#at(position);
  }

  *entries(): MapIterator<[string, Decision]> {
    for (const [name, position] of this.#positions) yield [name, this.#at(position)];
  }

  [Symbol.iterator](): MapIterator<[string, Decision]> {
    return this.entries();
  }

  forEach(visit: (decision: Decision, name: string, decisions: Decisions) => void): void {
    for (const [name, decision] of this) visit(decision, name, this);
  }

  #at(position: number): Decision {
    return (this.#made[position] ??= this.#decide(position));
  }
}
