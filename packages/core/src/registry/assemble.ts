import type { DecideToolsInput } from "../policy/decide/decide.ts";
import { decideTools } from "../policy/decide/decide.ts";
import type { Decisions } from "../policy/decide/decisions.ts";
import { modelGate } from "../policy/gates/models.ts";
import type { PolicyWarning } from "../policy/policy.ts";
import { toSentence } from "../policy/sentence.ts";
import type { Caller } from "../tool/context.ts";
import { normalizeToolName } from "../tool/name.ts";
import { describeThrown } from "../tool/result.ts";
import { type AnyTool, readTool } from "../tool/shapes.ts";
import type { ToolDefinition } from "../tool/tool.ts";

/** The stages in their order: five bring tools, one takes away what is not permitted, one wraps what is left. */
export const assemblyStages: readonly AssemblyStage[] = Object.freeze([
  "base",
  "runtime",
  "model",
  "own",
  "channel",
  "policy",
  "wrappers",
] as const);

export type AssemblyStage = ToolStage | "policy" | "wrappers";

/** "model": tools that only some models get; their `metadata.models` decides. */
export type ToolStage = "base" | "runtime" | "model" | "own" | "channel";

/** For whom tools are assembled. */
export interface AssemblyFacts extends Caller {
  /** The directory that the agent works in. */
  readonly workspace?: string;
}

export interface AssembleInput extends AssemblyFacts {
  /** What each stage brings; one that is missing brings nothing. */
  readonly stages: Readonly<Partial<Record<ToolStage, StageTools>>>;
  /** The steps for the caller. @default everything is permitted */
  readonly policy?: (caller: Caller) => Pick<DecideToolsInput, "steps" | "groups" | "rules">;
  readonly availabilityOf?: DecideToolsInput["availabilityOf"];
  /** Puts guards and hooks around a tool. @default nothing is wrapped */
  readonly wrap?: (tool: ToolDefinition, facts: AssemblyFacts) => ToolDefinition;
}

/** Tools, what takes the place of earlier tools, or a function that sees for whom. */
export type StageTools = StageChange | readonly AnyTool[] | ((facts: AssemblyFacts) => StageChange | readonly AnyTool[]);

export interface StageChange {
  readonly add?: readonly AnyTool[];
  /** Names of tools of earlier stages that go. */
  readonly remove?: readonly string[];
}

export interface AssembledTools {
  readonly tools: readonly ToolDefinition[];
  /** All seven stages, also those that did nothing. */
  readonly trace: readonly StageTrace[];
  readonly decisions: Decisions;
  readonly warnings: readonly PolicyWarning[];
}

/** What one stage did, by the names of tools. */
export interface StageTrace {
  readonly stage: AssemblyStage;
  /** How many tools there are after it. */
  readonly count: number;
  readonly added: readonly string[];
  readonly removed: readonly StageNote[];
  readonly wrapped: readonly string[];
  /** What the stage brought and what did not come in; without a name, what failed as a whole. */
  readonly refused: readonly StageNote[];
}

export interface StageNote {
  readonly name?: string;
  readonly reason: string;
}

/**
 * Puts an agent's tools together in seven stages, and tells what each did. Of two tools with one name the earlier stays; a stage
 * that fails brings nothing and harms no other; a tool that cannot be wrapped is not handed out bare.
 */
export function assembleTools(input: AssembleInput): AssembledTools {
  const { stages, policy, availabilityOf, wrap, ...facts } = input;
  const { workspace: _workspace, ...caller } = facts;
  const trace: StageTrace[] = [];
  let tools: readonly ToolDefinition[] = [];
  for (const stage of ["base", "runtime", "model", "own", "channel"] as const) {
    const change = applyStage(stage, stages[stage], tools, facts);
    tools = change.tools;
    trace.push(toTrace(stage, tools, change));
  }
  const decided = decideTools({ tools, steps: [], ...policy?.(caller), caller, ...(availabilityOf && { availabilityOf }) });
  const removed = [...decided.decisions.values()]
    .filter(({ allowed }) => !allowed)
    .map((decision) => ({ name: decision.name, reason: toSentence(decision) }));
  trace.push(toTrace("policy", decided.tools, { removed }));
  const wrapped = wrapTools(decided.tools, wrap, facts);
  trace.push(toTrace("wrappers", wrapped.tools, wrapped));
  return { tools: wrapped.tools, trace, decisions: decided.decisions, warnings: decided.warnings };
}

function toTrace(stage: AssemblyStage, tools: readonly unknown[], did: Partial<StageTrace>): StageTrace {
  const { added = [], removed = [], wrapped = [], refused = [] } = did;
  return { stage, count: tools.length, added, removed, wrapped, refused };
}

interface StageResult extends Pick<StageTrace, "added" | "removed" | "refused"> {
  readonly tools: readonly ToolDefinition[];
}

function applyStage(stage: ToolStage, given: StageTools | undefined, before: readonly ToolDefinition[], facts: AssemblyFacts): StageResult {
  const refused: StageNote[] = [];
  let change: StageChange | readonly AnyTool[] = [];
  try {
    change = (typeof given === "function" ? given(facts) : given) ?? [];
  } catch (error) {
    refused.push({ reason: `the stage failed: ${describeThrown(error)}` });
  }
  const { add = [], remove = [] }: StageChange = Array.isArray(change) ? { add: change } : (change as StageChange);
  const gone = new Set(remove);
  const kept = before.filter(({ name }) => !gone.has(name));
  const names = new Set(kept.map(({ name }) => normalizeToolName(name)));
  const added: ToolDefinition[] = [];
  for (const shape of add) {
    const found = readStageTool(stage, shape, names, facts);
    if ("reason" in found) refused.push(found);
    else {
      names.add(normalizeToolName(found.name));
      added.push(found);
    }
  }
  return {
    tools: [...kept, ...added],
    added: added.map(({ name }) => name),
    removed: before.filter(({ name }) => gone.has(name)).map(({ name }) => ({ name, reason: `the stage ${stage} takes its place` })),
    refused,
  };
}

function readStageTool(stage: ToolStage, shape: AnyTool, names: ReadonlySet<string>, facts: AssemblyFacts): ToolDefinition | StageNote {
  try {
    const tool = readTool(shape);
    if (names.has(normalizeToolName(tool.name))) return { name: tool.name, reason: "an earlier tool has this name" };
    const closed = stage === "model" ? modelGate(tool, { caller: facts, isNamed: () => true }) : undefined;
    return closed ? { name: tool.name, reason: closed.reason } : tool;
  } catch (error) {
    return { reason: describeThrown(error) };
  }
}

function wrapTools(
  tools: readonly ToolDefinition[],
  wrap: AssembleInput["wrap"],
  facts: AssemblyFacts,
): Pick<StageTrace, "wrapped" | "removed"> & { readonly tools: readonly ToolDefinition[] } {
  if (wrap === undefined) return { tools, wrapped: [], removed: [] };
  const kept: ToolDefinition[] = [];
  const wrapped: string[] = [];
  const removed: StageNote[] = [];
  for (const tool of tools) {
    try {
      const result = wrap(tool, facts);
      kept.push(result);
      if (result !== tool) wrapped.push(tool.name);
    } catch (error) {
      removed.push({ name: tool.name, reason: `it cannot be wrapped: ${describeThrown(error)}` });
    }
  }
  return { tools: kept, wrapped, removed };
}
