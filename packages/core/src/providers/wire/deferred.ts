import { ToolError } from "../../errors.ts";
import type { ProviderTarget } from "../provider.ts";
import type { ExportOptions } from "./compile.ts";
import { type ExportedTools, exportTools, forListCaller } from "./export.ts";
import { providerFor } from "../providers.ts";
import type { ToolDefinition } from "../../tool/tool.ts";

/**
 * Exports all tools of a list in one request: the model sees the chosen ones at once and finds the others through the vendor's own tool
 * search, which comes first. Throws CONFIG_INVALID for vendors without such a search.
 */
export function exportDeferred(
  tools: readonly ToolDefinition[],
  chosen: readonly ToolDefinition[],
  target: ProviderTarget,
  options: Omit<ExportOptions, "deferred"> = {},
): ExportedTools {
  const searchTool = searchTools.get(providerFor(target).name);
  if (searchTool === undefined) throw noSearch(target);
  const seen = new Set(chosen);
  // What is seen at once comes first: a vendor that takes only so many tools then leaves out deferred ones.
  const ordered = [...chosen, ...tools.filter((tool) => !seen.has(tool))];
  const exported = exportTools(ordered, target, { ...forListCaller(tools, options), deferred: (tool) => !seen.has(tool) });
  return Object.freeze({
    ...exported,
    tools: Object.freeze([searchTool, ...exported.tools]),
    text: exported.text.replace("[", () => `[${JSON.stringify(searchTool)}${exported.tools.length === 0 ? "" : ","}`),
  });
}

/**
 * What a search of ours found, as the vendor wants to hear it when it leaves the search to the client: the content of a tool result for
 * Anthropic, an item of the input for OpenAI Responses. Tools that were not exported are left out.
 */
export function writeFoundTools(names: readonly string[], exported: ExportedTools, callId: string): unknown {
  const provider = providerFor(exported.target).name;
  if (!searchTools.has(provider)) throw noSearch(exported.target);
  const found = new Set(names);
  const wireNames = Object.keys(exported.names).filter((wire) => found.has(exported.names[wire]!));
  const inOrder = names.flatMap((name) => wireNames.filter((wire) => exported.names[wire] === name));
  if (provider === "anthropic") {
    const content = inOrder.map((name) => ({ type: "tool_reference", tool_name: name }));
    return { type: "tool_result", tool_use_id: callId, content };
  }
  const declarations = new Map(exported.tools.map((tool) => [(tool as { name?: unknown }).name, tool]));
  return {
    type: "tool_search_output",
    call_id: callId,
    execution: "client",
    status: "completed",
    tools: inOrder.map((name) => declarations.get(name)),
  };
}

/** How a vendor is told to search deferred tools, by provider. */
const searchTools: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map<string, Readonly<Record<string, string>>>([
  ["anthropic", Object.freeze({ type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" })],
  ["openai-responses", Object.freeze({ type: "tool_search" })],
]);

function noSearch(target: ProviderTarget): ToolError {
  return new ToolError(
    "CONFIG_INVALID",
    `${target} has no search for deferred tools. Leave the rest out and add the tools of createMetaTools, or export to anthropic or openai-responses.`,
  );
}
