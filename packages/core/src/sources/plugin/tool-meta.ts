import type { ToolMetadata } from "../../tool/metadata.ts";

/** Where a tool comes from, for those who have only the tool: { pluginId: "voice", optional: true }. */
export function getPluginToolMeta(tool: {
  readonly metadata?: ToolMetadata;
}): { readonly pluginId: string; readonly optional: boolean } | undefined {
  const pluginId = tool.metadata?.pluginId;
  return pluginId === undefined ? undefined : { pluginId, optional: tool.metadata?.optionality === "optional" };
}
