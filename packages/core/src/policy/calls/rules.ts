import { ToolError } from "../../errors.ts";
import { registrationOf } from "../../tool/registered.ts";
import { describeThrown } from "../../tool/result.ts";
import { classifyTools } from "../entries/classes.ts";
import { type ListEntry, readEntry } from "../entries/entries.ts";
import { indexTools } from "../entries/indexed-tools.ts";
import { markClasses } from "../entries/marks.ts";
import type { Condition, ConditionEngine } from "../conditions/condition.ts";
import type { ToolGroups } from "../catalog/groups.ts";
import type { PathRule } from "../paths/rules.ts";
import type { PolicyLocation, PolicyTool } from "../policy.ts";
import { objectToShellText } from "../conditions/shell-text.ts";

/**
 * A rule over the arguments of a call. Conditions use `input`, its properties by their own names, `caller` and `tool`:
 * `argv[0] == "git"`. A condition that fails refuses the call.
 */
export interface ConditionRule {
  /** A tool, a glob, a group or a plugin. */
  readonly tool: string;
  /** Only calls for which it is true; several rules of one list are alternatives. */
  readonly allow?: string;
  /** No call for which it is true. */
  readonly deny?: string;
  /** A call for which it is true needs a person's approval. */
  readonly ask?: string;
  /** Added to the message for whoever is refused or asked. */
  readonly reason?: string;
}

export type ConditionEffect = "allow" | "deny" | "ask";

export const conditionEffects: readonly ConditionEffect[] = Object.freeze(["allow", "deny", "ask"] as const);

/** The rules of one part of a configuration. */
export interface CallRuleSet {
  readonly label: string;
  readonly paths?: readonly PathRule[];
  readonly conditions?: readonly ConditionRule[];
  readonly locationOf?: (list: "paths" | "conditions", position: number) => PolicyLocation;
}

/** Rules that have been read and are valid. */
export interface CallRules {
  /** The rules for a tool, one set for each part of the configuration. */
  for(tool: PolicyTool): readonly ToolRules[];
  /** False if no rule is about paths. */
  readonly hasPaths: boolean;
  /** The entry of each rule that says which tools it is about, and where that is written. */
  readonly named: readonly { readonly entry: ListEntry; readonly label: string }[];
}

export interface ToolRules {
  readonly paths: readonly { readonly rule: PathRule; readonly location: PolicyLocation }[];
  readonly conditions: readonly ToolCondition[];
}

export interface ToolCondition {
  /** The rule is about the tool only by a name or a group that nobody stands for: it is no alternative to the others. */
  readonly isNarrow?: true;
  readonly effect: ConditionEffect;
  readonly text: string;
  readonly condition: Condition;
  readonly reason?: string;
  readonly location: PolicyLocation;
}

export interface CallRulesOptions {
  /** Needed if there are conditions. */
  readonly engine?: ConditionEngine;
  readonly groups?: ToolGroups;
  /** For how many tools the answer is kept. @default for all */
  readonly maxKept?: number;
}

/** Throws CONFIG_INVALID with the path for a condition that cannot be parsed or must not be trusted. */
export function compileCallRules(sets: readonly CallRuleSet[], options: CallRulesOptions = {}): CallRules {
  const { maxKept = Infinity } = options;
  const compiled = sets.flatMap((set) => compileSet(set, options) ?? []);
  let known = new WeakMap<PolicyTool, readonly ToolRules[]>();
  let kept = 0;
  return {
    hasPaths: sets.some(({ paths = [] }) => paths.length > 0),
    get named() {
      return sets.flatMap((set) =>
        (["paths", "conditions"] as const).flatMap((list) =>
          (set[list] ?? []).map(({ tool }, position) => ({
            entry: readEntry(tool, options.groups),
            label: placeIn(set, list, position).label,
          })),
        ),
      );
    },
    for(tool) {
      if (compiled.length === 0) return noRules;
      let rules = known.get(tool);
      if (rules !== undefined) return rules;
      rules = compiled.map((select) => select(tool)).filter(({ paths, conditions }) => paths.length + conditions.length > 0);
      if (++kept > maxKept) [known, kept] = [new WeakMap(), 1];
      known.set(tool, rules);
      return rules;
    },
  };
}

const noRules: readonly ToolRules[] = Object.freeze([]);

/** Undefined for a set without rules. */
function compileSet(set: CallRuleSet, { engine, groups }: CallRulesOptions): ((tool: PolicyTool) => ToolRules) | undefined {
  const placeAt = (list: "paths" | "conditions", position: number): PolicyLocation => placeIn(set, list, position);
  const paths = (set.paths ?? []).map((rule, position) => ({
    rule,
    location: placeAt("paths", position),
    entry: readEntry(rule.tool, groups),
  }));
  const conditions = (set.conditions ?? []).flatMap((rule, position) =>
    conditionEffects.flatMap((effect) => {
      const text = rule[effect];
      if (text === undefined) return [];
      const location = placeAt("conditions", position);
      const condition = compileCondition(text, effect, location, engine);
      return [{ effect, text, condition, reason: rule.reason, location, entry: readEntry(rule.tool, groups) }];
    }),
  );
  if (paths.length + conditions.length === 0) return undefined;
  const entries = [...paths, ...conditions].map(({ entry }) => entry);
  return (tool) => {
    const speaksOf = createEntryTest(tool, entries);
    const found = { paths: paths.filter(({ entry }) => speaksOf(entry)), conditions: conditions.filter(({ entry }) => speaksOf(entry)) };
    return registrationOf(tool)?.isConfirmed === false ? markNarrow(tool, entries, found) : found;
  };
}

/** Marks the conditions that would not be about the tool if only its source had named it. */
function markNarrow<Named extends ToolCondition & { readonly entry: ListEntry }>(
  tool: PolicyTool,
  entries: readonly ListEntry[],
  { paths, conditions }: Pick<ToolRules, "paths"> & { readonly conditions: readonly Named[] },
): ToolRules {
  const speaksOf = createEntryTest(asRegistered(tool), entries);
  return { paths, conditions: conditions.map((rule) => (speaksOf(rule.entry) ? rule : { ...rule, isNarrow: true })) };
}

/** What policies match of a tool without what nobody stands for. */
function asRegistered({ metadata, ...tool }: PolicyTool): PolicyTool {
  const { name, addedGroups = [] } = registrationOf(tool)!;
  const groups = metadata?.groups?.filter((group) => !addedGroups.includes(group));
  return { name, ...(metadata && { metadata: { ...metadata, ...(groups && { groups }) } }) };
}

function placeIn(set: CallRuleSet, list: "paths" | "conditions", position: number): PolicyLocation {
  return set.locationOf?.(list, position) ?? { label: `${set.label}.${list}[${position}]` };
}

/** A single tool is matched by the same code as a list of tools. */
function createEntryTest(tool: PolicyTool, entries: readonly ListEntry[]): (entry: ListEntry) => boolean {
  const { hits } = markClasses(entries, classifyTools(indexTools([tool]), entries, new Set()), false);
  const matching = new Set(entries.filter((_, number) => hits[number] !== 0));
  return (entry) => matching.has(entry);
}

function compileCondition(text: string, effect: ConditionEffect, location: PolicyLocation, engine: ConditionEngine | undefined): Condition {
  const refuse = (reason: string, cause?: unknown): never => {
    const source = location.source === undefined ? "" : ` (${location.source})`;
    throw new ToolError("CONFIG_INVALID", `The condition ${JSON.stringify(text)} at ${location.label}${source} is refused: ${reason}.`, {
      cause,
    });
  };
  if (engine === undefined) return refuse("there is no engine to evaluate it; hand one in, for instance createCelEngine()");
  let condition: Condition;
  try {
    condition = engine.compile(text);
  } catch (error) {
    if (ToolError.is(error)) throw error;
    return refuse(describeThrown(error).split("\n")[0]!, error);
  }
  const objection = objectToShellText(condition.textTests ?? [], effect);
  return objection === undefined ? condition : refuse(objection);
}
