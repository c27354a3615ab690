import { ToolError } from "../../errors.ts";
import type { ProviderToolSearch } from "../provider.ts";
import type { ExportOptions } from "./options.ts";
import { type ExportedTools, exportTools, forListCaller, type TargetOf } from "./export.ts";
import { providerFor, type ShapesOf, type VendorTarget } from "../providers.ts";
import type { ToolDefinition } from "../../tool/tool.ts";

/**
 * Exports all tools of a list in one request: the model sees the chosen ones at once and finds the others through the vendor's own tool
 * search, which comes first. Throws CONFIG_INVALID for vendors without such a search.
 */
export function exportDeferred<const Target extends VendorTarget>(
  tools: readonly ToolDefinition[],
  chosen: readonly ToolDefinition[],
  target: Target,
  options?: Omit<ExportOptions, "deferred"> & { readonly allowedCallers?: readonly ShapesOf<Target>["caller"][] },
): DeferredExportFor<Target>;
export function exportDeferred(
  tools: readonly ToolDefinition[],
  chosen: readonly ToolDefinition[],
  target: VendorTarget,
  options: Omit<ExportOptions, "deferred"> = {},
): ExportedTools {
  const { tool: searchTool } = toolSearchOf(target);
  const seen = new Set(chosen);
  // What is seen at once comes first: a vendor that takes only so many tools then leaves out deferred ones.
  const ordered = [...chosen, ...tools.filter((tool) => !seen.has(tool))];
  const exported = exportTools(ordered, target, { ...forListCaller(tools, options), deferred: (tool) => !seen.has(tool) });
  return Object.freeze({
    ...exported,
    tools: Object.freeze([searchTool, ...exported.tools]) as unknown[],
    text: exported.text.replace("[", () => `[${JSON.stringify(searchTool)}${exported.tools.length === 0 ? "" : ","}`),
  });
}

/** The export for a target, with the vendor's own search among its tools. */
export type DeferredExportFor<Target extends VendorTarget> = Target extends VendorTarget
  ? ExportedTools<Target, ToolOrSearch<Target>>
  : never;

export type ToolOrSearch<Target extends VendorTarget> = ShapesOf<Target>["tool"] | ShapesOf<Target>["search"];

/**
 * What a search of ours found, in the form that the vendor expects when it leaves the search to the client: the content of a tool result for
 * Anthropic, an item of the input for OpenAI Responses. Tools that were not exported are left out.
 */
export function writeFoundTools<Exported extends ExportedTools>(
  names: readonly string[],
  exported: Exported,
  callId: string,
): ShapesOf<TargetOf<Exported>>["found"];
export function writeFoundTools(names: readonly string[], exported: ExportedTools, callId: string): unknown {
  const search = toolSearchOf(exported.target);
  const found = new Set(names);
  const wireNames = Object.keys(exported.names).filter((wire) => found.has(exported.names[wire]!));
  const inOrder = names.flatMap((name) => wireNames.filter((wire) => exported.names[wire] === name));
  const declarations = new Map(exported.tools.map((tool) => [(tool as { name?: unknown }).name, tool]));
  return search.writeFound({ names: inOrder, declarations: inOrder.map((name) => declarations.get(name)), callId });
}

function toolSearchOf(target: VendorTarget): ProviderToolSearch {
  const { name, wire } = providerFor(target);
  if (wire.toolSearch !== undefined) return wire.toolSearch;
  throw new ToolError(
    "CONFIG_INVALID",
    `${name} has no search for deferred tools. Leave the rest out and add the tools of createMetaTools, or export to anthropic or openai-responses.`,
  );
}
