import { selectTools, type TaskContext } from "../prompt/select.ts";
import { estimateTokens } from "../prompt/tokens.ts";
import type { ProviderTarget } from "../providers/provider.ts";
import type { ExportOptions } from "../providers/wire/compile.ts";
import { exportTools } from "../providers/wire/export.ts";
import type { ToolDefinition } from "../tool/tool.ts";

/** What a task and a budget did to an export. All numbers are estimates of tokens. */
export interface ExportBudget {
  /** What the tools that a model sees at once cost. */
  readonly tokens: number;
  /** What the tools that were left out would have cost. */
  readonly saved: number;
  /** The tools that were left out, in the registry's order. */
  readonly left: readonly string[];
  /** False if the required tools alone are more than `maxTokens`. */
  readonly fits: boolean;
}

export interface Choice {
  readonly task: string | TaskContext | undefined;
  readonly maxTokens: number | undefined;
  /** The tools for a request, the best first. */
  readonly find: (query: string) => readonly ToolDefinition[];
}

/** The required tools, then those for the task, the best first, while they fit; without a task as they come. The registry's order stays. */
export function fitBudget(
  tools: readonly ToolDefinition[],
  target: ProviderTarget,
  options: ExportOptions,
  { task, maxTokens = Infinity, find }: Choice,
): { readonly tools: ToolDefinition[]; readonly budget: ExportBudget } {
  const context: TaskContext | undefined = typeof task === "string" ? { hints: task } : task;
  const useful = new Set(context === undefined ? tools : selectTools(tools, context));
  const chosen = new Set(tools.filter((tool) => isRequired(tool) && useful.has(tool)));
  const cost = createCosts(target, options);
  let tokens = 0;
  for (const tool of chosen) tokens += cost(tool);
  const fits = tokens <= maxTokens;
  const candidates = context === undefined || maxTokens === Infinity ? tools : find(queryOf(context));
  for (const tool of candidates) {
    if (chosen.has(tool) || !useful.has(tool) || tokens + cost(tool) > maxTokens) continue;
    chosen.add(tool);
    tokens += cost(tool);
  }
  const left = tools.filter((tool) => !chosen.has(tool));
  return {
    tools: tools.filter((tool) => chosen.has(tool)),
    budget: { tokens, saved: left.reduce((sum, tool) => sum + cost(tool), 0), left: left.map(({ name }) => name), fits },
  };
}

/** Conditional tools are on offer only while they are required. */
function isRequired({ metadata }: ToolDefinition): boolean {
  return metadata?.optionality === "required" || metadata?.optionality === "conditional";
}

function queryOf({ type = "", hints = [] }: TaskContext): string {
  return [type, ...(typeof hints === "string" ? [hints] : hints)].join(". ");
}

const known = new WeakMap<ToolDefinition, Map<string, number>>();

/** What a tool costs in one vendor's form; worked out once for a tool that cannot change. */
function createCosts(target: ProviderTarget, options: ExportOptions): (tool: ToolDefinition) => number {
  const { deferred: _, ...rest } = options;
  const key = JSON.stringify([target, rest]);
  return (tool) => {
    const costs = known.get(tool) ?? new Map<string, number>();
    let tokens = costs.get(key);
    if (tokens === undefined) {
      const { tools, text } = exportTools([tool], target, rest);
      tokens = tools.length === 0 ? 0 : estimateTokens(text);
      if (Object.isFrozen(tool)) known.set(tool, costs.set(key, tokens));
    }
    return tokens;
  };
}
