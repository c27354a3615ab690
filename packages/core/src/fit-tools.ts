import { selectTools, type TaskContext } from "./prompt/select.ts";
import { estimateTokens } from "./prompt/tokens.ts";
import type { Provider } from "./providers/provider.ts";
import { createProviderMemory } from "./providers/provider-memory.ts";
import { providerFor, type VendorTarget } from "./providers/providers.ts";
import type { ExportOptions } from "./providers/wire/options.ts";
import { exportTools, forListCaller } from "./providers/wire/export.ts";
import { searchTools } from "./search/search-tools.ts";
import { originOf, setOrigin } from "./tool/list-origin.ts";
import { oncePerList, type PerList } from "./tool/per-list.ts";
import type { ToolDefinition } from "./tool/tool.ts";

export interface FitOptions extends Omit<ExportOptions, "deferred"> {
  /** What is to be done. Optional tools that have no use for it are left out; with `maxTokens` the best tools for it come first. */
  readonly task?: string | TaskContext;
  /** What the declarations may cost, estimated: the required tools, then the best for the task, until it is used up. @default no limit */
  readonly maxTokens?: number;
}

/** The tools that fit a task and a budget, and what that saves. */
export interface FittedTools {
  /** In the order of the list. */
  readonly tools: readonly ToolDefinition[];
  readonly budget: ExportBudget;
}

/** What a task and a budget leave out of a list. All numbers are estimates of tokens. */
export interface ExportBudget {
  /** What the chosen tools cost. */
  readonly tokens: number;
  /** What the tools that were left out would have cost. */
  readonly saved: number;
  /** The tools that were left out, in the order of the list. */
  readonly left: readonly string[];
  /** False if the required tools alone are more than `maxTokens`. */
  readonly fits: boolean;
}

const fitted = new WeakMap<Provider, PerList<FittedTools>>();

/**
 * Chooses from a list what a request can afford: the required tools, then those for the task, the best first, while they fit; without a
 * task in the order of the list. The chosen tools go to `exportTools`; the others are reached by the tools of `createMetaTools`, or by the
 * vendor's own search after `exportDeferred`. The answer is remembered for the same list.
 */
export function fitTools(tools: readonly ToolDefinition[], target: VendorTarget, options: FitOptions = {}): FittedTools {
  const provider = providerFor(target);
  const known: PerList<FittedTools> = fitted.get(provider) ?? new WeakMap();
  fitted.set(provider, known);
  return oncePerList(known, tools, options, () => choose(tools, provider, options));
}

function choose(tools: readonly ToolDefinition[], provider: Provider, { task, maxTokens = Infinity, ...rest }: FitOptions): FittedTools {
  const context: TaskContext | undefined = typeof task === "string" ? { hints: task } : task;
  const useful = new Set(context === undefined ? tools : selectTools(tools, context));
  const chosen = new Set(tools.filter((tool) => isRequired(tool) && useful.has(tool)));
  const cost = createCosts(provider, forListCaller(tools, rest));
  let tokens = 0;
  for (const tool of chosen) tokens += cost(tool);
  const fits = tokens <= maxTokens;
  const candidates = context === undefined || maxTokens === Infinity ? tools : found(tools, context);
  for (const tool of candidates) {
    if (chosen.has(tool) || !useful.has(tool) || tokens + cost(tool) > maxTokens) continue;
    chosen.add(tool);
    tokens += cost(tool);
  }
  const left = tools.filter((tool) => !chosen.has(tool));
  return {
    tools: setOrigin(Object.freeze(tools.filter((tool) => chosen.has(tool))), originOf(tools)),
    budget: { tokens, saved: left.reduce((sum, tool) => sum + cost(tool), 0), left: left.map(({ name }) => name), fits },
  };
}

/** Conditional tools are on offer only while they are required. */
function isRequired({ metadata }: ToolDefinition): boolean {
  return metadata?.optionality === "required" || metadata?.optionality === "conditional";
}

function found(tools: readonly ToolDefinition[], { type = "", hints = [] }: TaskContext): ToolDefinition[] {
  const query = [type, ...(typeof hints === "string" ? [hints] : hints)].join(". ");
  return searchTools(tools, query, { limit: Infinity }).map(({ tool }) => tool);
}

const costs = createProviderMemory<ToolDefinition, number>();

/** What a tool costs in one vendor's form; worked out once for a tool that cannot change. */
function createCosts(provider: Provider, options: ExportOptions): (tool: ToolDefinition) => number {
  const key = JSON.stringify(options);
  return (tool) => {
    let tokens = costs.get(provider, tool, key);
    if (tokens === undefined) {
      const { tools, text } = exportTools([tool], provider, options);
      tokens = tools.length === 0 ? 0 : estimateTokens(text);
      if (Object.isFrozen(tool)) costs.set(provider, tool, key, tokens);
    }
    return tokens;
  };
}
