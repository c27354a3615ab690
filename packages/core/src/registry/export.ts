import type { TaskContext } from "../prompt/select.ts";
import type { ProviderTarget } from "../providers/provider.ts";
import type { ExportOptions } from "../providers/wire/compile.ts";
import { type ExportedTools, exportTools } from "../providers/wire/export.ts";
import type { Caller } from "../tool/context.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { type ExportBudget, fitBudget } from "./budget.ts";
import { deferRest } from "./deferred.ts";
import type { RegistryView } from "./permission.ts";

export interface RegistryExportOptions extends ExportOptions {
  /** For whom: only what this caller may see is exported. @default a caller of whom nothing is known */
  readonly caller?: Caller;
  /** What is to be done. Optional tools that have no use for it are left out; with `maxTokens` the best tools for it come first. */
  readonly task?: string | TaskContext;
  /** What the declarations may cost, estimated: the required tools, then the best for the task, until it is used up. */
  readonly maxTokens?: number;
  /**
   * What becomes of the tools that task and budget leave out. "search": they are not sent, and meta-tools reach them. "deferred": they are
   * sent for the vendor's own tool search to load, where it has one (Anthropic, OpenAI Responses). @default "search"
   */
  readonly rest?: "search" | "deferred";
}

/** Tools as one vendor takes them, and what a task or a budget left out. */
export interface RegistryExport extends ExportedTools {
  /** Present where a task or a budget was given. */
  readonly budget?: ExportBudget;
}

export interface ExportedView {
  view(caller: Caller): RegistryView;
  /** All tools that the words of a task find for a caller, the best first. */
  find(query: string, caller: Caller): readonly ToolDefinition[];
}

/** What one caller may see, as one vendor takes it. Model and provider are the caller's, where the options name none. */
export function exportView({ view, find }: ExportedView, target: ProviderTarget, options: RegistryExportOptions): RegistryExport {
  const { caller = {}, task, maxTokens, rest = "search", ...given } = options;
  const model = given.model ?? caller.model;
  const provider = given.provider ?? caller.provider;
  const exporting = { ...given, ...(model !== undefined && { model }), ...(provider !== undefined && { provider }) };
  const { tools } = view(caller);
  if (task === undefined && maxTokens === undefined) return exportTools(tools, target, exporting);
  const chosen = fitBudget(tools, target, exporting, { task, maxTokens, find: (query) => find(query, caller) });
  const exported =
    rest === "deferred" ? deferRest(tools, chosen.tools, target, exporting) : exportTools(Object.freeze(chosen.tools), target, exporting);
  return Object.freeze(Object.defineProperties({ budget: chosen.budget } as RegistryExport, Object.getOwnPropertyDescriptors(exported)));
}
