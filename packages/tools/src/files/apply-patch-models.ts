import { defineTool, type ToolDefinition } from "@toolrack/core";

/** The models that were trained on the format of `apply_patch`, as patterns of `metadata.models`. */
export const applyPatchModels: readonly string[] = ["gpt-*", "*codex*"];

/** The tool for these models only; an empty list offers it to every model, also where the model is not known. */
export function forModels(tool: ToolDefinition, models: readonly string[]): ToolDefinition {
  return models.length === 0 ? tool : defineTool({ ...tool, metadata: { ...tool.metadata, models } });
}
